// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import io.fairlead.engine.key.KeyWriter;
import io.fairlead.engine.text.TextIndexOptions;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonString;
import org.bson.RawBsonDocument;

/** The text fields of an index: each word of the document, with its score. */
final class TextPart implements KeyPart {
  private final TextIndexOptions options;
  private boolean multikey;

  TextPart(TextIndexOptions options) {
    this.options = options;
  }

  @Override
  public List<Piece> pieces(byte[] document) {
    List<Piece> pieces = new ArrayList<>();
    options
        .scores(new RawBsonDocument(document))
        .forEach(
            (word, score) ->
                pieces.add(
                    new Piece(
                        new KeyWriter()
                            .value(new BsonString(word))
                            .value(new BsonDouble(score))
                            .toBytes(),
                        new BsonDocument("_fts", new BsonString(word))
                            .append("_ftsx", new BsonDouble(score)))));
    multikey = pieces.size() > 1;
    return pieces;
  }

  @Override
  public boolean isMultikey() {
    return multikey;
  }

  @Override
  public boolean isSpecial() {
    return true;
  }

  @Override
  public Piece absent() {
    throw new IllegalStateException("without words a document is not in the index");
  }
}
