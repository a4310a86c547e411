// SPDX-License-Identifier: Apache-2.0
// mongosh: what a person types at its prompt, and writes that survive a step-down.
/* global db, sleep */
(function () {
  const fs = require('fs');
  const say = (text) => fs.writeSync(1, `${text}\n`);
  const expect = (actual, wanted) => {
    if (actual !== wanted) throw new Error(`expected ${wanted}, was ${actual}`);
  };
  const step = (name, body) => {
    try {
      body();
      say(`ok ${name}`);
    } catch (error) {
      say(`not ok ${name}: ${String(error && error.message ? error.message : error).replace(/\s+/g, ' ')}`);
    }
  };
  // Waits for one line; the shell may have set its standard input to not block.
  const line = () => {
    for (;;) {
      try {
        if (fs.readSync(0, Buffer.alloc(64)) > 0) return;
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error;
      }
      sleep(20);
    }
  };
  const shop = db.getSiblingDB('foreign_shell');

  step('connect', () => {
    expect(db.adminCommand({ ping: 1 }).ok, 1);
    shop.dropDatabase();
  });
  step('insert and find', () => {
    shop.people.insertOne({ _id: 1, name: 'ada', born: 1815 });
    shop.people.insertMany([{ _id: 2, name: 'grace', born: 1906 }, { _id: 3, name: 'alan', born: 1912 }]);
    expect(shop.people.findOne({ name: 'ada' }).born, 1815);
    expect(shop.people.find({ born: { $gt: 1900 } }).sort({ born: -1 }).toArray().map((p) => p.name).join(), 'alan,grace');
    expect(shop.people.countDocuments({}), 3);
  });
  step('update and delete', () => {
    expect(shop.people.updateOne({ _id: 1 }, { $set: { died: 1852 } }).modifiedCount, 1);
    expect(shop.people.updateOne({ _id: 4 }, { $set: { name: 'edsger' } }, { upsert: true }).insertedId, 4);
    expect(shop.people.deleteOne({ _id: 4 }).deletedCount, 1);
  });
  step('cursor in batches', () => {
    shop.numbers.insertMany(Array.from({ length: 500 }, (_, i) => ({ _id: i })));
    expect(shop.numbers.find().batchSize(70).toArray().length, 500);
  });
  step('aggregate', () => {
    const groups = shop.numbers
      .aggregate([{ $group: { _id: { $mod: ['$_id', 2] }, n: { $sum: 1 } } }, { $sort: { _id: 1 } }])
      .toArray();
    expect(groups.map((g) => g.n).join(), '250,250');
  });
  step('index', () => {
    expect(shop.people.createIndex({ name: 1 }), 'name_1');
    expect(shop.people.getIndexes().length, 2);
  });
  step('listings', () => {
    expect(shop.getCollectionNames().sort().join(), 'numbers,people');
    expect(db.getMongo().getDBNames().includes('foreign_shell'), true);
  });
  step('step-down', () => {
    for (let i = 0; i < 200; i++) {
      if (i === 20) say('step-down please');
      shop.kept.insertOne({ _id: i }, { writeConcern: { w: 'majority' } });
    }
    line();
    for (let i = 200; i < 220; i++) shop.kept.insertOne({ _id: i }, { writeConcern: { w: 'majority' } });
    expect(shop.kept.find().sort({ _id: 1 }).toArray().every((d, i) => d._id === i), true);
    expect(shop.kept.countDocuments({}), 220);
  });
})();
