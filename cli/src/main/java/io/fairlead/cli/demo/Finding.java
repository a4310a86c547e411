// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo;

import io.fairlead.cli.terminal.Table;
import java.time.Duration;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** What one scenario found: the tables as they were printed, and its claims. */
public record Finding(String scenario, List<Table> tables, List<Claim> claims, Duration took) {

  public Finding {
    tables = List.copyOf(tables);
    claims = List.copyOf(claims);
    if (claims.isEmpty()) {
      throw new IllegalArgumentException(
          "scenario " + scenario + " claims nothing, so it can't fail");
    }
  }

  /** Whether every claim held. */
  public boolean held() {
    return claims.stream().allMatch(Claim::held);
  }

  BsonDocument toDocument() {
    BsonArray tablesAsData = new BsonArray();
    tables.forEach(table -> tablesAsData.add(table.toDocument()));
    BsonArray claimsAsData = new BsonArray();
    claims.forEach(claim -> claimsAsData.add(claim.toDocument()));
    return new BsonDocument("scenario", new BsonString(scenario))
        .append("held", BsonBoolean.valueOf(held()))
        .append("tookMS", new BsonInt64(took.toMillis()))
        .append("claims", claimsAsData)
        .append("tables", tablesAsData);
  }
}
