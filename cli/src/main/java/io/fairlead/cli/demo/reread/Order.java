// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo.reread;

import io.fairlead.mapper.DefaultReadPreference;
import io.fairlead.mapper.Entity;
import io.fairlead.mapper.Id;
import io.fairlead.mapper.ReadMode;

/** An entity that is read from any near member unless its reader says otherwise. */
@Entity(collection = "orders")
@DefaultReadPreference(ReadMode.NEAREST)
public record Order(@Id String id, String state) {}
