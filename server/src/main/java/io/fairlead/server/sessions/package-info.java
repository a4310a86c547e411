// SPDX-License-Identifier: Apache-2.0
/**
 * Logical sessions: which are known, until when, and the commands that start, refresh, end and kill
 * them. Start at {@link io.fairlead.server.sessions.Sessions}.
 */
@NullMarked
package io.fairlead.server.sessions;

import org.jspecify.annotations.NullMarked;
