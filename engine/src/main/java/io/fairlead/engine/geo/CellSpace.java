// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.geo;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * A square map cut into four, and again, so often: a cell is known by its way from the whole map,
 * and a geometry by few cells that together hold it.
 *
 * <p>The number of a cell has the bits of its way, then a one, then zeros, so that all cells within
 * a cell are a range of numbers around it, whatever their size.
 *
 * @param minX where the map begins
 * @param minY where the map begins
 * @param maxX where it ends
 * @param maxY where it ends
 * @param levels how often it is cut, at most 30
 */
public record CellSpace(double minX, double minY, double maxX, double maxY, int levels) {
  private static final int LEVELS_MAX = 30;

  /** How many cells a stored geometry has at most. */
  private static final int STORED_MAX = 8;

  /** How many cells a query looks into at most. */
  private static final int QUERY_MAX = 24;

  /** Longitudes and latitudes. */
  public static final CellSpace SPHERE = new CellSpace(-180, -90, 180, 90, LEVELS_MAX);

  /** A range of cell numbers, ends included. */
  public record Range(long from, long to) {}

  public CellSpace {
    levels = Math.min(levels, LEVELS_MAX);
  }

  /** The smallest cell with that point in it. */
  long cell(double x, double y) {
    return number(part(x, minX, maxX), part(y, minY, maxY), levels);
  }

  private long part(double value, double min, double max) {
    long parts = 1L << levels;
    long part = (long) Math.floor((value - min) / (max - min) * parts);
    return Math.max(0, Math.min(parts - 1, part));
  }

  private static long number(long column, long row, int level) {
    long way = 0;
    for (int bit = level - 1; bit >= 0; bit--) {
      way = (way << 2) | (((column >>> bit) & 1) << 1) | ((row >>> bit) & 1);
    }
    int behind = 2 * (LEVELS_MAX - level);
    return (((way << 1) | 1) << behind);
  }

  /** The cells that a stored geometry within those rectangles is kept under. */
  List<Long> stored(List<Rect> bounds) {
    TreeSet<Long> cells = new TreeSet<>();
    bounds.forEach(rect -> cells.addAll(covering(rect, STORED_MAX)));
    return List.copyOf(cells);
  }

  /**
   * The ranges of numbers under which everything is kept that reaches into those rectangles,
   * ascending and apart from each other.
   */
  List<Range> ranges(List<Rect> bounds) {
    List<Range> ranges = new ArrayList<>();
    for (Rect rect : bounds) {
      for (long cell : covering(rect, QUERY_MAX)) {
        long lowest = Long.lowestOneBit(cell);
        ranges.add(new Range(cell - lowest + 1, cell + lowest - 1));
        // Greater geometries are kept under the cells around this one.
        for (long size = lowest << 2; size > 0 && size <= 1L << (2 * LEVELS_MAX); size <<= 2) {
          long around = (cell & -(size << 1)) | size;
          ranges.add(new Range(around, around));
        }
      }
    }
    return merged(ranges);
  }

  private static List<Range> merged(List<Range> ranges) {
    ranges.sort((a, b) -> Long.compare(a.from, b.from));
    List<Range> merged = new ArrayList<>();
    for (Range range : ranges) {
      Range last = merged.isEmpty() ? null : merged.getLast();
      if (last != null && range.from <= last.to + 1) {
        merged.set(merged.size() - 1, new Range(last.from, Math.max(last.to, range.to)));
      } else {
        merged.add(range);
      }
    }
    return merged;
  }

  /** The smallest equal cells that together hold the rectangle, at most so many. */
  private List<Long> covering(Rect rect, int most) {
    int level = 0;
    List<Long> cells = List.of(number(0, 0, 0));
    while (level < levels) {
      List<Long> finer = at(rect, level + 1, most);
      if (finer.isEmpty()) {
        break;
      }
      cells = finer;
      level++;
    }
    return cells;
  }

  /** The cells of a level; none when there are more than so many. */
  private List<Long> at(Rect rect, int level, int most) {
    int shift = levels - level;
    long fromX = part(rect.minX(), minX, maxX) >>> shift;
    long toX = part(rect.maxX(), minX, maxX) >>> shift;
    long fromY = part(rect.minY(), minY, maxY) >>> shift;
    long toY = part(rect.maxY(), minY, maxY) >>> shift;
    if ((toX - fromX + 1) * (toY - fromY + 1) > most) {
      return List.of();
    }
    List<Long> cells = new ArrayList<>();
    for (long x = fromX; x <= toX; x++) {
      for (long y = fromY; y <= toY; y++) {
        cells.add(number(x, y, level));
      }
    }
    return cells;
  }
}
