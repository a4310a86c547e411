// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.entity;

import com.mongodb.client.MongoClient;

/** A client of a test and what it has told. */
public record ClientEntity(MongoClient client, EventLog log) {}
