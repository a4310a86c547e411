// SPDX-License-Identifier: Apache-2.0
/**
 * Sessions as applications hold them. Start at {@link io.fairlead.driver.session.ClientSessions}.
 */
@NullMarked
package io.fairlead.driver.session;

import org.jspecify.annotations.NullMarked;
