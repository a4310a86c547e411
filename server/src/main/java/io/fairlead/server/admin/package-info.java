// SPDX-License-Identifier: Apache-2.0
/** Databases, collections and indexes: create, list, change and drop them, and their sizes. */
@NullMarked
package io.fairlead.server.admin;

import org.jspecify.annotations.NullMarked;
