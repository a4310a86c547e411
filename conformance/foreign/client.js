// SPDX-License-Identifier: Apache-2.0
// The Node driver: CRUD, aggregate, cursors, errors, and writes that survive a step-down.
'use strict';
const { MongoClient } = require('mongodb');
const { line, say, step } = require('./steps.js');

async function main() {
  const client = new MongoClient(process.env.FAIRLEAD_URI, { appName: 'foreign-node', serverSelectionTimeoutMS: 15000 });
  try {
    const database = client.db('foreign_node');
    const people = database.collection('people');
    await step('connect', async (expect) => {
      await client.connect();
      expect((await database.admin().ping()).ok, 1);
      await database.dropDatabase();
    });
    await step('insert and find', async (expect) => {
      await people.insertOne({ _id: 1, name: 'ada', born: 1815 });
      await people.insertMany([{ _id: 2, name: 'grace', born: 1906 }, { _id: 3, name: 'alan', born: 1912 }]);
      expect((await people.findOne({ name: 'ada' })).born, 1815);
      expect((await people.find({ born: { $gt: 1900 } }).sort({ born: -1 }).toArray()).map((p) => p.name).join(), 'alan,grace');
      expect(await people.countDocuments({}), 3);
    });
    await step('update and delete', async (expect) => {
      const updated = await people.updateOne({ _id: 1 }, { $set: { died: 1852 } });
      expect(updated.modifiedCount, 1);
      const upserted = await people.updateOne({ _id: 4 }, { $set: { name: 'edsger' } }, { upsert: true });
      expect(upserted.upsertedId, 4);
      expect((await people.findOneAndUpdate({ _id: 4 }, { $inc: { visits: 1 } }, { returnDocument: 'after' })).visits, 1);
      expect((await people.deleteOne({ _id: 4 })).deletedCount, 1);
    });
    await step('bulk write', async (expect) => {
      const result = await people.bulkWrite([
        { insertOne: { document: { _id: 10 } } },
        { updateOne: { filter: { _id: 10 }, update: { $set: { a: 1 } } } },
        { deleteOne: { filter: { _id: 10 } } },
      ]);
      expect([result.insertedCount, result.modifiedCount, result.deletedCount].join(), '1,1,1');
    });
    await step('cursor in batches', async (expect) => {
      const numbers = database.collection('numbers');
      await numbers.insertMany(Array.from({ length: 500 }, (_, i) => ({ _id: i })));
      let seen = 0;
      for await (const document of numbers.find({}).sort({ _id: 1 }).batchSize(70)) {
        expect(document._id, seen++);
      }
      expect(seen, 500);
    });
    await step('aggregate', async (expect) => {
      const groups = await database.collection('numbers').aggregate([
        { $match: { _id: { $lt: 100 } } },
        { $group: { _id: { $mod: ['$_id', 2] }, n: { $sum: 1 } } },
        { $sort: { _id: 1 } },
      ]).toArray();
      expect(JSON.stringify(groups), JSON.stringify([{ _id: 0, n: 50 }, { _id: 1, n: 50 }]));
    });
    await step('index', async (expect) => {
      expect(await people.createIndex({ name: 1 }), 'name_1');
      expect((await people.indexes()).length, 2);
    });
    await step('duplicate key', async (expect) => {
      const code = await people.insertOne({ _id: 1 }).then(() => 0, (error) => error.code);
      expect(code, 11000);
    });
    await step('step-down', async (expect) => {
      const kept = database.collection('kept');
      for (let i = 0; i < 200; i++) {
        if (i === 20) say('step-down please');
        if (i === 180) await line(); // the rest comes after it for sure
        await kept.insertOne({ _id: i }, { writeConcern: { w: 'majority' } });
      }
      const ids = (await kept.find({}).sort({ _id: 1 }).toArray()).map((d) => d._id);
      expect(ids.length, 200);
      expect(ids.every((id, i) => id === i), true);
    });
  } finally {
    await client.close();
  }
}

main().then(() => process.exit(0), (error) => {
  say(`not ok script: ${error}`);
  process.exit(1);
});
