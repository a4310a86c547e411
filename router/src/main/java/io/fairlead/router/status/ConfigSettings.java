// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.status;

import org.bson.BsonDocument;

/**
 * What {@code config.settings} may hold. The config servers refuse every other document when it is
 * written (121), as MongoDB's do: a setting that nobody reads must not look as if it were in force.
 *
 * <ul>
 *   <li>{@code fairlead.routing}: how reads are routed, see {@link RoutingSetting};
 *   <li>{@code balancer}, {@code autosplit}, {@code automerge}: only that they are off, since
 *       chunks move and split when they are told to;
 *   <li>{@code chunksize}: 1 to 1024.
 * </ul>
 */
public final class ConfigSettings {

  private static final BsonDocument SCHEMA =
      BsonDocument.parse(
          """
          {$jsonSchema: {oneOf: [
            {additionalProperties: false, properties: {
              _id: {enum: ['fairlead.routing']},
              latencyWindow: {oneOf: [
                {bsonType: 'object', required: ['ms'], additionalProperties: false, properties: {
                  ms: {bsonType: 'number', minimum: 0}}},
                {bsonType: 'object', required: ['percent'], additionalProperties: false, properties: {
                  percent: {bsonType: 'number', minimum: 0},
                  floorMS: {bsonType: 'number', minimum: 0}}}]},
              maxPingMS: {bsonType: ['number', 'null'], minimum: 0},
              health: {bsonType: 'object', additionalProperties: false, properties: {
                enabled: {bsonType: 'bool'},
                consecutiveFaults: {bsonType: 'number', minimum: 1},
                faultPercent: {bsonType: 'number', minimum: 1, maximum: 100},
                outcomesMin: {bsonType: 'number', minimum: 1},
                windowMS: {bsonType: 'number', minimum: 1},
                ejectionMS: {bsonType: 'number', minimum: 1},
                ejectionMaxMS: {bsonType: 'number', minimum: 1}}}}},
            {additionalProperties: false, properties: {
              _id: {enum: ['balancer']}, mode: {enum: ['off']}, stopped: {enum: [true]}}},
            {additionalProperties: false, properties: {
              _id: {enum: ['autosplit', 'automerge']}, enabled: {enum: [false]}}},
            {required: ['value'], additionalProperties: false, properties: {
              _id: {enum: ['chunksize']},
              value: {bsonType: 'number', minimum: 1, maximum: 1024}}}]}}
          """);

  private ConfigSettings() {}

  /** The collection's validator. */
  public static BsonDocument validator() {
    return SCHEMA.clone();
  }
}
