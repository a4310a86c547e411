// SPDX-License-Identifier: Apache-2.0
/**
 * The update language: operators, replacement, pipelines, upsert documents. Start at {@link
 * io.fairlead.engine.update.Update}.
 */
@NullMarked
package io.fairlead.engine.update;

import org.jspecify.annotations.NullMarked;
