// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.fairlead.cluster.event;

import org.jspecify.annotations.NullMarked;
