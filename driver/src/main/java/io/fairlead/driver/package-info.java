// SPDX-License-Identifier: Apache-2.0
/** com.mongodb.client on the routing core. */
@NullMarked
package io.fairlead.driver;

import org.jspecify.annotations.NullMarked;
