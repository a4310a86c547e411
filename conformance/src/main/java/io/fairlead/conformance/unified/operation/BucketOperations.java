// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.operation;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.mongodb.client.ClientSession;
import com.mongodb.client.gridfs.GridFSBucket;
import com.mongodb.client.gridfs.GridFSFindIterable;
import com.mongodb.client.gridfs.model.GridFSDownloadOptions;
import com.mongodb.client.gridfs.model.GridFSUploadOptions;
import io.fairlead.conformance.unified.match.NotInApiException;
import io.fairlead.conformance.unified.match.TestFailure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.codecs.BsonValueCodecProvider;
import org.bson.codecs.DocumentCodec;
import org.jspecify.annotations.Nullable;

/** Operations on a GridFS bucket. */
final class BucketOperations {
  private BucketOperations() {}

  static Prepared prepare(String name, GridFSBucket on, Args args) {
    @Nullable BsonValue timeout = args.get("timeoutMS");
    GridFSBucket bucket =
        timeout == null ? on : on.withTimeout(timeout.asNumber().longValue(), MILLISECONDS);
    return switch (name) {
      case "delete" -> delete(bucket, args);
      case "download" -> download(bucket, args);
      case "downloadByName" -> downloadByName(bucket, args);
      case "drop" -> drop(bucket, args);
      case "find" -> find(bucket, args);
      case "rename" -> rename(bucket, args);
      case "upload" -> upload(bucket, args);
      case "uploadWithId" -> uploadWithId(bucket, args);
      case "deleteByName", "renameByName" -> throw new NotInApiException("the operation " + name);
      default -> throw new TestFailure("a bucket has no operation " + name);
    };
  }

  private static Prepared delete(GridFSBucket bucket, Args args) {
    ClientSession session = args.session();
    BsonValue id = args.required("id");
    return Prepared.nothing(
        () -> {
          if (session == null) {
            bucket.delete(id);
          } else {
            bucket.delete(session, id);
          }
        });
  }

  private static Prepared download(GridFSBucket bucket, Args args) {
    ClientSession session = args.session();
    BsonValue id = args.required("id");
    return () -> {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      if (session == null) {
        bucket.downloadToStream(id, bytes);
      } else {
        bucket.downloadToStream(session, id, bytes);
      }
      return content(bytes);
    };
  }

  private static Prepared downloadByName(GridFSBucket bucket, Args args) {
    ClientSession session = args.session();
    String name = args.text("filename");
    GridFSDownloadOptions options = new GridFSDownloadOptions();
    args.number("revision", revision -> options.revision((int) revision));
    return () -> {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      if (session == null) {
        bucket.downloadToStream(name, bytes, options);
      } else {
        bucket.downloadToStream(session, name, bytes, options);
      }
      return content(bytes);
    };
  }

  /** A byte a character, so that nothing is lost. */
  private static Outcome content(ByteArrayOutputStream bytes) {
    return Outcome.of(new BsonString(bytes.toString(StandardCharsets.ISO_8859_1)));
  }

  private static Prepared drop(GridFSBucket bucket, Args args) {
    ClientSession session = args.session();
    return Prepared.nothing(
        () -> {
          if (session == null) {
            bucket.drop();
          } else {
            bucket.drop(session);
          }
        });
  }

  private static Prepared find(GridFSBucket bucket, Args args) {
    ClientSession session = args.session();
    BsonDocument filter = args.documentOrEmpty("filter");
    GridFSFindIterable files = session == null ? bucket.find(filter) : bucket.find(session, filter);
    args.document("sort", files::sort);
    args.number("limit", limit -> files.limit((int) limit));
    args.number("maxTimeMS", time -> files.maxTime(time, MILLISECONDS));
    return () ->
        Outcome.documents(
            files.map(
                file ->
                    new BsonDocument("_id", file.getId())
                        .append("filename", new BsonString(file.getFilename()))));
  }

  private static Prepared rename(GridFSBucket bucket, Args args) {
    ClientSession session = args.session();
    BsonValue id = args.required("id");
    String name = args.text("newFilename");
    return Prepared.nothing(
        () -> {
          if (session == null) {
            bucket.rename(id, name);
          } else {
            bucket.rename(session, id, name);
          }
        });
  }

  private static Prepared upload(GridFSBucket bucket, Args args) {
    ClientSession session = args.session();
    String name = args.text("filename");
    byte[] source = source(args);
    GridFSUploadOptions options = uploadOptions(args);
    return () ->
        Outcome.of(
            new BsonObjectId(
                session == null
                    ? bucket.uploadFromStream(name, new ByteArrayInputStream(source), options)
                    : bucket.uploadFromStream(
                        session, name, new ByteArrayInputStream(source), options)));
  }

  private static Prepared uploadWithId(GridFSBucket bucket, Args args) {
    ClientSession session = args.session();
    BsonValue id = args.required("id");
    String name = args.text("filename");
    byte[] source = source(args);
    GridFSUploadOptions options = uploadOptions(args);
    return Prepared.nothing(
        () -> {
          if (session == null) {
            bucket.uploadFromStream(id, name, new ByteArrayInputStream(source), options);
          } else {
            bucket.uploadFromStream(session, id, name, new ByteArrayInputStream(source), options);
          }
        });
  }

  private static GridFSUploadOptions uploadOptions(Args args) {
    GridFSUploadOptions options = new GridFSUploadOptions();
    args.number("chunkSizeBytes", size -> options.chunkSizeBytes((int) size));
    args.document("metadata", metadata -> options.metadata(plain(metadata)));
    args.value(
        "contentType",
        type -> {
          throw new NotInApiException("the option contentType of an upload");
        });
    args.flag(
        "disableMD5",
        disabled -> {
          if (!disabled) {
            throw new NotInApiException("MD5 sums of uploads");
          }
        });
    return options;
  }

  private static Document plain(BsonDocument document) {
    return new DocumentCodec(
            org.bson.codecs.configuration.CodecRegistries.fromProviders(
                new BsonValueCodecProvider(),
                new org.bson.codecs.ValueCodecProvider(),
                new org.bson.codecs.DocumentCodecProvider()))
        .decode(document.asBsonReader(), org.bson.codecs.DecoderContext.builder().build());
  }

  private static byte[] source(Args args) {
    BsonDocument source = args.document("source");
    if (source.size() != 1 || !source.isString("$$hexBytes")) {
      throw new TestFailure("the source of an upload must be { $$hexBytes: … }");
    }
    try {
      return HexFormat.of().parseHex(source.getString("$$hexBytes").getValue());
    } catch (IllegalArgumentException malformed) {
      throw new TestFailure("malformed hex bytes", malformed);
    }
  }
}
