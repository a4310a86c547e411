// SPDX-License-Identifier: Apache-2.0
/**
 * {@code com.mongodb.client} on the routing core. Start at {@link
 * io.fairlead.driver.FairleadClients}.
 *
 * <pre>
 *   client    MongoClient, MongoDatabase, MongoCollection: what was set on them
 *   cursor    find, aggregate, distinct, list…: iterables and the cursor under them
 *   write     inserts, updates, deletes and bulks: statements, batches, outcomes
 *   admin     collections and indexes
 *   session   the application's sessions
 *   command   commands written as bytes, replies read in place
 * </pre>
 *
 * Settings, builders, codecs, exceptions and listeners are the public ones of {@code org.mongodb};
 * nothing internal of that driver is touched.
 */
@NullMarked
package io.fairlead.driver;

import org.jspecify.annotations.NullMarked;
