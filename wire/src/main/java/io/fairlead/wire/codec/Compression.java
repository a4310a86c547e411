// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.ZstdInputStream;
import io.fairlead.wire.message.Compressor;
import io.fairlead.wire.message.MalformedMessageException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.xerial.snappy.Snappy;

/**
 * Packs and unpacks the content of OP_COMPRESSED. The two optional libraries are touched only by
 * the nested classes.
 */
final class Compression {

  private static final int CHUNK_BYTES = 16 * 1024;

  private Compression() {}

  static byte[] compress(Compressor compressor, byte[] bytes, int offset, int length) {
    return switch (compressor) {
      case ZLIB -> deflate(bytes, offset, length);
      case SNAPPY -> SnappyLibrary.compress(bytes, offset, length);
      case ZSTD -> ZstdLibrary.compress(bytes, offset, length);
    };
  }

  /**
   * Unpacks to exactly the size that was announced.
   *
   * @param size announced by the sender and not larger than a message may be
   * @param room bytes to leave free before the content
   */
  static byte[] decompress(
      Compressor compressor, byte[] bytes, int offset, int length, int size, int room)
      throws MalformedMessageException {
    return switch (compressor) {
      case ZLIB -> inflate(bytes, offset, length, size, room);
      case SNAPPY -> SnappyLibrary.decompress(bytes, offset, length, size, room);
      case ZSTD -> ZstdLibrary.decompress(bytes, offset, length, size, room);
    };
  }

  private static byte[] deflate(byte[] bytes, int offset, int length) {
    Deflater deflater = new Deflater();
    try {
      deflater.setInput(bytes, offset, length);
      deflater.finish();
      ByteArrayOutputStream packed = new ByteArrayOutputStream(Math.max(64, length / 3));
      byte[] chunk = new byte[Math.min(CHUNK_BYTES, length + 64)];
      while (!deflater.finished()) {
        packed.write(chunk, 0, deflater.deflate(chunk));
      }
      return packed.toByteArray();
    } finally {
      deflater.end();
    }
  }

  /** Grows with what really comes out, so an announced size alone takes no memory. */
  private static byte[] inflate(byte[] bytes, int offset, int length, int size, int room)
      throws MalformedMessageException {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(bytes, offset, length);
      byte[] content = new byte[room + Math.min(size, Math.max(CHUNK_BYTES, length * 4))];
      int end = room;
      while (!inflater.finished()) {
        if (end == content.length) {
          if (end == room + size) {
            // nothing may be left but the trailer, which yields no bytes
            if (inflater.inflate(new byte[1]) == 0 && inflater.finished()) {
              break;
            }
            throw new MalformedMessageException("compressed content is larger than announced");
          }
          content = Arrays.copyOf(content, (int) Math.min((long) room + size, 2L * content.length));
        }
        int inflated = inflater.inflate(content, end, content.length - end);
        if (inflated == 0 && !inflater.finished()) {
          throw new MalformedMessageException("compressed content is cut off");
        }
        end += inflated;
      }
      if (end != room + size) {
        throw new MalformedMessageException(
            "compressed content is " + (end - room) + " bytes, announced were " + size);
      }
      return content.length == end ? content : Arrays.copyOf(content, end);
    } catch (DataFormatException broken) {
      throw new MalformedMessageException("compressed content is broken", broken);
    } finally {
      inflater.end();
    }
  }

  private static final class SnappyLibrary {

    /** Snappy's best case is 64 bytes from a copy of 3; beyond that the announced size is a lie. */
    private static final int RATIO_MAX = 64;

    static byte[] compress(byte[] bytes, int offset, int length) {
      try {
        byte[] packed = new byte[Snappy.maxCompressedLength(length)];
        int size = Snappy.compress(bytes, offset, length, packed, 0);
        return Arrays.copyOf(packed, size);
      } catch (IOException impossible) {
        throw new IllegalStateException("snappy cannot compress", impossible);
      }
    }

    static byte[] decompress(byte[] bytes, int offset, int length, int size, int room)
        throws MalformedMessageException {
      try {
        if (size > (long) length * RATIO_MAX
            || Snappy.uncompressedLength(bytes, offset, length) != size) {
          throw new MalformedMessageException(
              "compressed content is not the announced " + size + " bytes");
        }
        byte[] content = new byte[room + size];
        int end = Snappy.uncompress(bytes, offset, length, content, room);
        if (end != size) {
          throw new MalformedMessageException(
              "compressed content is " + end + " bytes, announced were " + size);
        }
        return content;
      } catch (MalformedMessageException malformed) {
        throw malformed;
      } catch (IOException broken) {
        throw new MalformedMessageException("compressed content is broken", broken);
      }
    }
  }

  private static final class ZstdLibrary {

    static byte[] compress(byte[] bytes, int offset, int length) {
      byte[] packed = new byte[(int) Zstd.compressBound(length)];
      long size =
          Zstd.compressByteArray(
              packed, 0, packed.length, bytes, offset, length, Zstd.defaultCompressionLevel());
      if (Zstd.isError(size)) {
        throw new IllegalStateException("zstd cannot compress: " + Zstd.getErrorName(size));
      }
      return Arrays.copyOf(packed, (int) size);
    }

    static byte[] decompress(byte[] bytes, int offset, int length, int size, int room)
        throws MalformedMessageException {
      try {
        long announced = Zstd.getFrameContentSize(bytes, offset, length);
        if (announced > 0 && announced != size) {
          throw new MalformedMessageException(
              "compressed content is " + announced + " bytes, announced were " + size);
        }
        if (announced <= 0) {
          return decompressUnannounced(bytes, offset, length, size, room);
        }
        byte[] content = new byte[room + size];
        long end = Zstd.decompressByteArray(content, room, size, bytes, offset, length);
        if (Zstd.isError(end) || end != size) {
          throw new MalformedMessageException(
              "compressed content is not the announced " + size + " bytes");
        }
        return content;
      } catch (ZstdException broken) {
        throw new MalformedMessageException("compressed content is broken", broken);
      }
    }

    /**
     * A frame that does not say its size, as streaming compressors write: grows with what comes
     * out.
     */
    private static byte[] decompressUnannounced(
        byte[] bytes, int offset, int length, int size, int room) throws MalformedMessageException {
      try (ZstdInputStream in =
          new ZstdInputStream(new ByteArrayInputStream(bytes, offset, length))) {
        byte[] content = in.readNBytes(size);
        if (content.length != size || in.read() >= 0) {
          throw new MalformedMessageException(
              "compressed content is not the announced " + size + " bytes");
        }
        byte[] withRoom = new byte[room + size];
        System.arraycopy(content, 0, withRoom, room, size);
        return withRoom;
      } catch (MalformedMessageException malformed) {
        throw malformed;
      } catch (IOException broken) {
        throw new MalformedMessageException("compressed content is broken", broken);
      }
    }
  }
}
