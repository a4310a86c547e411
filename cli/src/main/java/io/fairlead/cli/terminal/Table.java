// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Rows under named columns, printed while they come. A column is as wide as it was declared, since
 * later rows are not yet known; a longer cell pushes its row to the right rather than being cut.
 * Cells are strings, longs or doubles; numbers stand to the right. Not for several threads at once.
 */
public final class Table {

  /** One column: its heading, and how many characters to keep for it. */
  public record Column(String name, int width) {}

  private final String title;
  private final List<Column> columns;
  private final Consumer<String> out;
  private final List<List<Object>> rows = new ArrayList<>();

  /**
   * @param out takes each line as it is ready
   */
  public Table(String title, List<Column> columns, Consumer<String> out) {
    this.title = title;
    this.columns = List.copyOf(columns);
    this.out = out;
    out.accept(title);
    StringBuilder header = new StringBuilder(" ");
    for (Column column : this.columns) {
      header.append(' ').append(padRight(column.name(), column.width()));
    }
    out.accept(header.toString().stripTrailing());
  }

  /** Shorthand: {@code columns("server", 22, "ping", 10)}. */
  public static List<Column> columns(Object... namesAndWidths) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < namesAndWidths.length; i += 2) {
      columns.add(new Column((String) namesAndWidths[i], (Integer) namesAndWidths[i + 1]));
    }
    return columns;
  }

  /** Prints one row and keeps it. */
  public void row(Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "a row of '" + title + "' has " + columns.size() + " cells, not " + cells.length);
    }
    rows.add(List.of(cells));
    StringBuilder line = new StringBuilder(" ");
    for (int i = 0; i < cells.length; i++) {
      int width = columns.get(i).width();
      String text = text(cells[i]);
      line.append(' ')
          .append(cells[i] instanceof Number ? padLeft(text, width) : padRight(text, width));
    }
    out.accept(line.toString().stripTrailing());
  }

  /** How many rows it has by now. */
  public int size() {
    return rows.size();
  }

  /** The same as data: {@code {title, rows: [{column: cell}]}}. */
  public BsonDocument toDocument() {
    BsonArray all = new BsonArray();
    for (List<Object> row : rows) {
      BsonDocument each = new BsonDocument();
      for (int i = 0; i < row.size(); i++) {
        each.append(columns.get(i).name(), value(row.get(i)));
      }
      all.add(each);
    }
    return new BsonDocument("title", new BsonString(title)).append("rows", all);
  }

  private static BsonValue value(Object cell) {
    return switch (cell) {
      case Double number -> new BsonDouble(Math.round(number * 1000) / 1000.0);
      case Number number -> new BsonInt64(number.longValue());
      default -> new BsonString(cell.toString());
    };
  }

  private static String text(Object cell) {
    return cell instanceof Double number
        ? String.format(Locale.ROOT, number < 10 ? "%.2f" : "%.1f", number)
        : cell.toString();
  }

  private static String padRight(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static String padLeft(String text, int width) {
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }
}
