// SPDX-License-Identifier: Apache-2.0
/** Servers that do what a test tells them to. */
@NullMarked
package io.fairlead.cluster.fake;

import org.jspecify.annotations.NullMarked;
