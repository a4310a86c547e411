// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.junit.jupiter.api.Test;

class SessionPoolTest {
  private long nowNanos;
  private final SessionPool pool =
      new SessionPool(() -> nowNanos, () -> Optional.of(Duration.ofMinutes(30)));

  @Test
  void the_last_id_given_back_is_the_first_lent_again() {
    Session one = pool.implicit();
    Session two = pool.implicit();
    BsonDocument first = one.lsid();
    BsonDocument second = two.lsid();
    assertThat(first).isNotEqualTo(second);
    one.close();
    two.close();
    assertThat(pool.implicit().lsid()).isEqualTo(second);
    assertThat(pool.implicit().lsid()).isEqualTo(first);
  }

  @Test
  void an_id_about_to_expire_or_touched_by_a_network_error_is_not_lent_again() {
    Session one = pool.implicit();
    BsonDocument id = one.lsid();
    one.close();
    nowNanos += Duration.ofMinutes(29).plusSeconds(1).toNanos();
    Session fresh = pool.implicit();
    assertThat(fresh.lsid()).isNotEqualTo(id);
    BsonDocument dirty = fresh.lsid();
    fresh.markDirty();
    fresh.close();
    assertThat(pool.implicit().lsid()).isNotEqualTo(dirty);
    assertThat(pool.drain()).isEmpty();
  }

  @Test
  void a_session_takes_no_id_before_it_needs_one_and_none_after_its_end() {
    Session unused = pool.implicit();
    unused.close();
    assertThat(pool.drain()).isEmpty();
    assertThatThrownBy(unused::lsid).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void times_only_move_forward() {
    Session session = pool.explicit(true);
    session.advanceOperationTime(new BsonTimestamp(2, 0));
    session.advanceOperationTime(new BsonTimestamp(1, 0));
    session.advanceOperationTime(null);
    assertThat(session.operationTime()).isEqualTo(new BsonTimestamp(2, 0));

    ClusterClock clock = new ClusterClock();
    clock.advance(new BsonDocument("clusterTime", new BsonTimestamp(5, 1)));
    clock.advance(new BsonDocument("clusterTime", new BsonTimestamp(4, 9)));
    clock.advance(new BsonDocument());
    assertThat(clock.current()).isEqualTo(new BsonDocument("clusterTime", new BsonTimestamp(5, 1)));
  }
}
