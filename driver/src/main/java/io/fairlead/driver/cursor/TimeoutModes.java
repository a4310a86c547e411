// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.client.cursor.TimeoutMode;
import io.fairlead.driver.command.Scope;

/** A timeout mode says what a timeout bounds, so there must be one. */
final class TimeoutModes {
  private TimeoutModes() {}

  static TimeoutMode require(TimeoutMode mode, Scope scope) {
    if (scope.timeout() == null) {
      throw new IllegalArgumentException("TimeoutMode requires timeoutMS to be set.");
    }
    return mode;
  }
}
