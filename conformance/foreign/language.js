// SPDX-License-Identifier: Apache-2.0
// The Node driver: what a server has to know, as this driver's documentation promises it.
'use strict';
const { once } = require('events');
const { GridFSBucket, Long, MongoClient } = require('mongodb');
const { say, step } = require('./steps.js');

async function refused(expect, code, promise) {
  const error = await promise.then(() => undefined, (failure) => failure);
  if (!error) throw new Error(`was not refused with ${code}`);
  expect(error.code, code);
  return error;
}

async function indexes(database) {
  const things = database.collection('things');
  await things.insertMany(Array.from({ length: 100 }, (_, i) => ({ _id: i, a: i % 10, t: [`t${i % 3}`], s: `Ab${i}` })));
  await step('indexes of every kind', async (expect) => {
    const names = await things.createIndexes([
      { key: { a: 1, _id: -1 } },
      { key: { t: 1 } },
      { key: { a: 'hashed' } },
      { key: { s: 1 }, unique: true, partialFilterExpression: { a: { $gt: 4 } }, name: 'part' },
      { key: { '$**': 1 }, wildcardProjection: { s: 0 } },
    ]);
    expect(names.join(), 'a_1__id_-1,t_1,a_hashed,part,$**_1');
    expect((await things.indexes()).length, 6);
    expect(await things.indexExists(['part', 't_1']), true);
    expect(await things.countDocuments({ t: 't1', a: { $lt: 5 } }), 17);
    const plan = await things.find({ a: 3 }).hint('a_1__id_-1').explain('executionStats');
    expect(JSON.stringify(plan).includes('a_1__id_-1'), true);
    await refused(expect, 27, things.dropIndex('nothing'));
    await refused(expect, 67, things.createIndex({ a: 1, b: 'sideways' }));
    await things.dropIndexes();
    expect((await things.indexes()).length, 1);
  });
  await step('explain', async (expect) => {
    await things.createIndex({ a: 1, s: 1 });
    const winning = (await things.find({ a: 3 }).project({ _id: 0, a: 1, s: 1 }).explain()).queryPlanner.winningPlan;
    expect(JSON.stringify(winning).includes('PROJECTION_COVERED'), true);
    const staged = await things.aggregate([{ $match: { a: 3 } }, { $group: { _id: '$s' } }]).explain('executionStats');
    expect(JSON.stringify(staged).includes('IXSCAN'), true);
  });
}

async function kinds(database) {
  await step('time series', async (expect) => {
    const weather = await database.createCollection('weather', {
      timeseries: { timeField: 'ts', metaField: 'city', granularity: 'minutes' },
      expireAfterSeconds: 3600 * 24 * 365 * 10,
    });
    await weather.insertMany(Array.from({ length: 60 }, (_, i) => ({ ts: new Date(Date.UTC(2026, 0, 1, 0, i)), city: 'ab'[i % 2], t: i })));
    const hot = await weather.aggregate([
      { $match: { city: 'a' } },
      { $group: { _id: { $dateTrunc: { date: '$ts', unit: 'minute', binSize: 20 } }, max: { $max: '$t' } } },
      { $sort: { _id: 1 } },
    ]).toArray();
    expect(hot.map((d) => d.max).join(), '18,38,58');
    expect((await database.listCollections({ name: 'weather' }).next()).type, 'timeseries');
  });
  await step('views and validators', async (expect) => {
    const base = database.collection('base');
    await base.insertMany([{ _id: 1, secret: 1 }, { _id: 2, secret: 2 }]);
    const view = await database.createCollection('shown', { viewOn: 'base', pipeline: [{ $unset: 'secret' }] });
    expect(JSON.stringify(await view.find().sort({ _id: 1 }).toArray()), '[{"_id":1},{"_id":2}]');
    await refused(expect, 166, view.insertOne({ _id: 3 }));
    const checked = await database.createCollection('checked', {
      validator: { $jsonSchema: { required: ['name'], properties: { name: { bsonType: 'string' } } } },
    });
    const error = await refused(expect, 121, checked.insertOne({ name: 1 }));
    expect(JSON.stringify(error.errInfo).includes('bsonType'), true);
    await checked.insertOne({ name: 1 }, { bypassDocumentValidation: true });
  });
  await step('collation', async (expect) => {
    const words = await database.createCollection('words', { collation: { locale: 'en', strength: 2 } });
    await words.insertMany([{ w: 'Apple' }, { w: 'apple' }, { w: 'Pear' }]);
    expect(await words.countDocuments({ w: 'APPLE' }), 2);
    expect((await words.find({ w: 'APPLE' }).collation({ locale: 'simple' }).toArray()).length, 0);
    const sorted = await words.find().collation({ locale: 'en', caseFirst: 'upper', strength: 3 }).sort({ w: 1 }).toArray();
    expect(sorted.map((d) => d.w).join(), 'Apple,apple,Pear');
  });
  await step('text and geo', async (expect) => {
    const places = database.collection('places');
    await places.insertMany([
      { _id: 'Vienna', about: 'coffee houses', at: { type: 'Point', coordinates: [16.37, 48.21] } },
      { _id: 'Graz', about: 'a clock tower', at: { type: 'Point', coordinates: [15.44, 47.07] } },
    ]);
    await places.createIndex({ about: 'text' });
    await places.createIndex({ at: '2dsphere' });
    expect((await places.findOne({ $text: { $search: 'house' } }))._id, 'Vienna');
    const near = await places.find({ at: { $nearSphere: { $geometry: { type: 'Point', coordinates: [15, 47] } } } }).toArray();
    expect(near.map((d) => d._id).join(), 'Graz,Vienna');
  });
}

async function cursors(database) {
  const many = database.collection('many');
  await many.insertMany(Array.from({ length: 1000 }, (_, i) => ({ _id: i })));
  await step('cursors', async (expect) => {
    const cursor = many.find().sort({ _id: 1 }).batchSize(10);
    for (let i = 0; i < 25; i++) expect((await cursor.next())._id, i);
    const { id } = cursor;
    await cursor.close();
    await refused(expect, 43, database.command({ getMore: id, collection: 'many' }));
    cursor.rewind();
    expect((await cursor.next())._id, 0);
    await cursor.close();
    expect((await many.find().skip(990).limit(50).toArray()).length, 10);
    expect((await many.aggregate([{ $match: {} }], { batchSize: 7 }).toArray()).length, 1000);
    const first = await database.command({ find: 'many', batchSize: 0 });
    expect(first.cursor.firstBatch.length, 0);
    const killed = await database.command({ killCursors: 'many', cursors: [Long.fromValue(first.cursor.id)] });
    expect(killed.cursorsKilled.length, 1);
    const commanded = await database.runCursorCommand({ find: 'many', filter: { _id: { $lt: 300 } } }).setBatchSize(100).toArray();
    expect(commanded.length, 300);
  });
  await step('a tailable cursor that waits', async (expect) => {
    const log = await database.createCollection('log', { capped: true, size: 100000, max: 5 });
    await log.insertMany(Array.from({ length: 8 }, (_, i) => ({ _id: i })));
    const tail = log.find({}, { tailable: true, awaitData: true, maxAwaitTimeMS: 5000 });
    for (let i = 3; i < 8; i++) expect((await tail.next())._id, i);
    const next = tail.next();
    await log.insertOne({ _id: 8 });
    expect((await next)._id, 8);
    await tail.close();
  });
  await step('a time limit stops', async (expect) => {
    const busy = { $expr: { $gt: [{ $reduce: { input: { $range: [0, 2000000] }, initialValue: 0, in: { $add: ['$$value', 1] } } }, -1] } };
    await refused(expect, 50, many.find(busy).maxTimeMS(50).toArray());
    await refused(expect, 50, many.aggregate([{ $match: busy }], { maxTimeMS: 50 }).toArray());
    await refused(expect, 50, many.updateMany(busy, { $set: { a: 1 } }, { maxTimeMS: 50 }));
    expect(await many.countDocuments({ a: 1 }), 0);
  });
}

async function writes(client, database) {
  await step('bulk writes', async (expect) => {
    const bulk = database.collection('bulk');
    await bulk.insertOne({ _id: 5 });
    const error = await refused(expect, 11000, bulk.bulkWrite([
      { insertOne: { document: { _id: 1, a: [1, 2, 3] } } },
      { insertOne: { document: { _id: 5 } } },
      { updateOne: { filter: { _id: 1 }, update: { $set: { 'a.$[e]': 9 } }, arrayFilters: [{ e: { $gt: 1 } }] } },
      { replaceOne: { filter: { _id: 7 }, replacement: { b: 1 }, upsert: true } },
      { deleteOne: { filter: { _id: 5 } } },
    ], { ordered: false }));
    const { insertedCount, matchedCount, upsertedCount, deletedCount } = error.result;
    expect([insertedCount, matchedCount, upsertedCount, deletedCount].join(), '1,1,1,1');
    expect((await bulk.findOne({ _id: 1 })).a.join(), '1,9,9');
  });
  await step("a client's bulk write", async (expect) => {
    const result = await client.bulkWrite([
      { name: 'insertOne', namespace: 'language_node.one', document: { _id: 1 } },
      { name: 'insertOne', namespace: 'language_node.two', document: { _id: 1 } },
      { name: 'updateOne', namespace: 'language_node.one', filter: { _id: 1 }, update: { $set: { a: 1 } } },
      { name: 'updateOne', namespace: 'language_node.two', filter: { _id: 2 }, update: { $set: { a: 1 } }, upsert: true },
      { name: 'deleteMany', namespace: 'language_node.two', filter: {} },
    ], { verboseResults: true });
    expect([result.insertedCount, result.modifiedCount, result.upsertedCount, result.deletedCount].join(), '2,1,1,2');
    expect(result.deleteResults.get(4).deletedCount, 2);
    expect(result.updateResults.get(3).upsertedId, 2);
  });
  await step('find and modify', async (expect) => {
    const queue = database.collection('queue');
    await queue.insertMany([{ _id: 1, p: 2 }, { _id: 2, p: 1 }]);
    expect((await queue.findOneAndUpdate({}, { $set: { taken: true } }, { sort: { p: 1 } }))._id, 2);
    const whole = await queue.findOneAndReplace({ _id: 3 }, { x: 1 }, { upsert: true, returnDocument: 'after', includeResultMetadata: true });
    expect(whole.lastErrorObject.upserted, 3);
    expect((await queue.findOneAndDelete({ _id: 3 })).x, 1);
    await refused(expect, 66, queue.updateOne({ _id: 1 }, { $set: { _id: 9 } }));
    await queue.updateOne({ _id: 1 }, [{ $set: { twice: { $multiply: ['$p', 2] } } }]);
    expect((await queue.findOne({ _id: 1 })).twice, 4);
  });
  await step('files', async (expect) => {
    const bucket = new GridFSBucket(database, { chunkSizeBytes: 1000 });
    const data = Buffer.from(Array.from({ length: 5500 }, (_, i) => i % 251));
    const upload = bucket.openUploadStream('a.bin', { metadata: { kind: 'first' } });
    upload.end(data);
    await once(upload, 'finish');
    const read = async (stream) => {
      const parts = [];
      for await (const part of stream) parts.push(part);
      return Buffer.concat(parts);
    };
    expect((await read(bucket.openDownloadStreamByName('a.bin'))).equals(data), true);
    const middle = await read(bucket.openDownloadStream(upload.id, { start: 990, end: 2010 }));
    expect(middle.equals(data.subarray(990, 2010)), true);
    expect(await database.collection('fs.chunks').countDocuments({ files_id: upload.id }), 6);
    await bucket.delete(upload.id);
    expect((await bucket.find().toArray()).length, 0);
  });
}

async function transactions(client, database) {
  await step('transactions', async (expect) => {
    const bank = database.collection('bank');
    await bank.insertMany([{ _id: 1, have: 100 }, { _id: 2, have: 0 }]);
    await client.withSession((session) => session.withTransaction(async () => {
      await bank.updateOne({ _id: 1 }, { $inc: { have: -30 } }, { session });
      await bank.updateOne({ _id: 2 }, { $inc: { have: 30 } }, { session });
      expect((await bank.findOne({ _id: 2 }, { session })).have, 30);
      expect((await bank.findOne({ _id: 2 })).have, 0);
    }));
    expect((await bank.find().sort({ _id: 1 }).toArray()).map((d) => d.have).join(), '70,30');
    const one = client.startSession();
    const other = client.startSession();
    try {
      one.startTransaction();
      other.startTransaction();
      await bank.updateOne({ _id: 1 }, { $inc: { have: 1 } }, { session: one });
      const conflict = await refused(expect, 112, bank.updateOne({ _id: 1 }, { $inc: { have: 1 } }, { session: other }));
      expect(conflict.hasErrorLabel('TransientTransactionError'), true);
      await other.abortTransaction();
      await one.commitTransaction();
    } finally {
      await one.endSession();
      await other.endSession();
    }
    expect((await bank.findOne({ _id: 1 })).have, 71);
  });
}

async function main() {
  const client = new MongoClient(process.env.FAIRLEAD_URI, { appName: 'language-node', serverSelectionTimeoutMS: 15000 });
  try {
    const database = client.db('language_node');
    await database.dropDatabase();
    await indexes(database);
    await kinds(database);
    await cursors(database);
    await writes(client, database);
    const isRouter = (await database.admin().command({ hello: 1 })).msg === 'isdbgrid';
    if (!isRouter) await transactions(client, database); // routers have none yet
    await step('ends', async (expect) => {
      await database.dropDatabase();
      expect((await database.admin().listDatabases()).databases.some((d) => d.name === 'language_node'), false);
    });
  } finally {
    await client.close();
  }
}

main().then(() => process.exit(0), (error) => {
  say(`not ok script: ${error}`);
  process.exit(1);
});
