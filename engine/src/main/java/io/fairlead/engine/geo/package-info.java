// SPDX-License-Identifier: Apache-2.0
/**
 * Geometry on the sphere and in the plane.
 *
 * <pre>
 *   stored value ── StoredGeometry ──┐
 *                                    ├─ Region: contains? intersects?     NearQuery: how far?
 *   query operand ── GeoQueryParser ─┘
 *   Region, SphereShape ── Rect ── CellSpace ──► ranges of cells: keys of an index
 * </pre>
 *
 * Edges on the sphere are great-circle arcs; positions are longitude and latitude in degrees,
 * distances on the sphere are radians unless a name says metres. A cell of an index only narrows:
 * every answer is computed from the geometry itself.
 */
@NullMarked
package io.fairlead.engine.geo;

import org.jspecify.annotations.NullMarked;
