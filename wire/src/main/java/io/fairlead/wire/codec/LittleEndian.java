// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Integers of the protocol in a byte array. */
final class LittleEndian {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  static int int32(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  static void putInt32(byte[] bytes, int at, int value) {
    INT.set(bytes, at, value);
  }

  static void putInt64(byte[] bytes, int at, long value) {
    LONG.set(bytes, at, value);
  }
}
