// SPDX-License-Identifier: Apache-2.0
/**
 * Collections and indexes: created, renamed, dropped. Start at {@link
 * io.fairlead.driver.admin.CollectionAdmin}.
 */
@NullMarked
package io.fairlead.driver.admin;

import org.jspecify.annotations.NullMarked;
