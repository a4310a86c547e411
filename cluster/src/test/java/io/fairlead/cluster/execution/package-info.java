// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.fairlead.cluster.execution;

import org.jspecify.annotations.NullMarked;
