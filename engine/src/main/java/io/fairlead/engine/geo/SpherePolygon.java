// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.geo;

import java.util.ArrayList;
import java.util.List;

/**
 * A polygon on the sphere with holes. Its border belongs to it.
 *
 * @param outer the outer ring
 * @param holes rings within it
 */
public record SpherePolygon(Ring outer, List<Ring> holes) {
  public SpherePolygon {
    holes = List.copyOf(holes);
  }

  boolean contains(Vec point) {
    if (outer.side(point) < 0) {
      return false;
    }
    for (Ring hole : holes) {
      if (hole.side(point) > 0) {
        return false;
      }
    }
    return true;
  }

  List<Ring> rings() {
    List<Ring> rings = new ArrayList<>(holes.size() + 1);
    rings.add(outer);
    rings.addAll(holes);
    return rings;
  }

  /** Whether the arc crosses the border anywhere. */
  private boolean crossed(Arc arc) {
    for (Ring ring : rings()) {
      for (int i = 0; i < ring.size(); i++) {
        if (ring.edge(i).crosses(arc)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether the whole arc lies in it. */
  boolean contains(Arc arc) {
    if (!contains(arc.from()) || !contains(arc.to()) || crossed(arc)) {
      return false;
    }
    // An arc between two points of the border may lie outside without crossing it.
    return contains(arc.middle());
  }

  boolean intersects(Arc arc) {
    if (contains(arc.from()) || contains(arc.to())) {
      return true;
    }
    for (Ring ring : rings()) {
      for (int i = 0; i < ring.size(); i++) {
        if (ring.edge(i).meets(arc)) {
          return true;
        }
      }
    }
    return false;
  }

  boolean contains(SpherePolygon other) {
    for (Ring ring : other.rings()) {
      for (int i = 0; i < ring.size(); i++) {
        if (!contains(ring.edge(i))) {
          return false;
        }
      }
    }
    // Neither a hole of this nor what lies outside of this may be inside the other.
    for (Ring hole : holes) {
      for (Vec corner : hole.points()) {
        if (other.outer.side(corner) > 0
            && other.holes.stream().noneMatch(ring -> ring.side(corner) >= 0)) {
          return false;
        }
      }
    }
    for (Vec corner : outer.points()) {
      if (other.outer.side(corner) > 0
          && other.holes.stream().noneMatch(ring -> ring.side(corner) >= 0)) {
        return false;
      }
    }
    return true;
  }

  boolean intersects(SpherePolygon other) {
    for (Ring ring : other.rings()) {
      for (int i = 0; i < ring.size(); i++) {
        if (intersects(ring.edge(i))) {
          return true;
        }
      }
    }
    return other.contains(outer.points().get(0));
  }

  /** The least angle to a point; 0 inside. */
  double distance(Vec point) {
    if (contains(point)) {
      return 0;
    }
    double least = Double.MAX_VALUE;
    for (Ring ring : rings()) {
      least = Math.min(least, ring.distance(point));
    }
    return least;
  }
}
