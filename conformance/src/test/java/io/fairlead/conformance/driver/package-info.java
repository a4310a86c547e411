// SPDX-License-Identifier: Apache-2.0
/** Our driver on our own deployments: how it connects, where it reads, and what it survives. */
@NullMarked
package io.fairlead.conformance.driver;

import org.jspecify.annotations.NullMarked;
