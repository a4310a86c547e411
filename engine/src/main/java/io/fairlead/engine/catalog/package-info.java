// SPDX-License-Identifier: Apache-2.0
/**
 * Collections and what is known of them: {@link io.fairlead.engine.catalog.CollectionOptions} to
 * create one, {@link io.fairlead.engine.catalog.CollectionInfo} to describe one. {@link
 * io.fairlead.engine.catalog.NamespaceRules} says which names are allowed, {@link
 * io.fairlead.engine.catalog.OptionErrors} how options are refused.
 */
@NullMarked
package io.fairlead.engine.catalog;

import org.jspecify.annotations.NullMarked;
