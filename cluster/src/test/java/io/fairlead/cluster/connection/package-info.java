// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.fairlead.cluster.connection;

import org.jspecify.annotations.NullMarked;
