// SPDX-License-Identifier: Apache-2.0
/**
 * A router that says hello and fails every query, in turn in every way of {@link
 * io.fairlead.cli.demo.sickrouter.Sickness}: few operations may meet it, none that may be retried
 * may fail, and it comes back by itself.
 */
@NullMarked
package io.fairlead.cli.demo.sickrouter;

import org.jspecify.annotations.NullMarked;
