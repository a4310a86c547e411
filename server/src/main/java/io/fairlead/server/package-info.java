// SPDX-License-Identifier: Apache-2.0
/** One mongod: commands on an engine, replica-set member. */
@NullMarked
package io.fairlead.server;

import org.jspecify.annotations.NullMarked;
