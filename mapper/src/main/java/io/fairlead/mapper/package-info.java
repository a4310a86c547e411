// SPDX-License-Identifier: Apache-2.0
/** Entities on com.mongodb.client. */
@NullMarked
package io.fairlead.mapper;

import org.jspecify.annotations.NullMarked;
