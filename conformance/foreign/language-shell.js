// SPDX-License-Identifier: Apache-2.0
// mongosh: what a person asks at its prompt about a server and its collections.
/* global db */
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
  const shop = db.getSiblingDB('language_shell');
  const isRouter = db.adminCommand({ hello: 1 }).msg === 'isdbgrid';
  shop.dropDatabase();
  shop.people.insertMany(Array.from({ length: 50 }, (_, i) => ({ _id: i, a: i % 5, name: `n${i}` })));

  step('explain', () => {
    shop.people.createIndex({ a: 1 });
    const text = (plan) => JSON.stringify(plan);
    expect(text(shop.people.find({ a: 3 }).explain()).includes('IXSCAN'), true);
    expect(text(shop.people.explain('executionStats').find({ a: 3 }).finish()).includes('"nReturned":10'), true);
    expect(text(shop.people.explain().aggregate([{ $group: { _id: '$a' } }])).length > 50, true);
    expect(text(shop.people.explain().update({ a: 1 }, { $set: { b: 1 } })).includes('UPDATE'), true);
    expect(text(shop.people.explain().remove({ a: 1 })).includes('DELETE'), true);
    expect(text(shop.people.explain().distinct('a')).length > 50, true);
    expect(text(shop.people.explain().count({ a: 1 })).includes('COUNT'), true);
    expect(shop.people.countDocuments({ b: 1 }), 0);
  });
  step('collections', () => {
    shop.createCollection('log', { capped: true, size: 10000 });
    expect(shop.log.isCapped(), true);
    shop.createView('shown', 'people', [{ $match: { a: 1 } }]);
    expect(shop.shown.countDocuments(), 10);
    expect(shop.getCollectionInfos({ name: 'shown' })[0].type, 'view');
    expect(shop.people.renameCollection('persons').ok, 1);
    expect(shop.persons.countDocuments({}), 50);
    expect(shop.persons.drop(), true);
    shop.people.insertMany([{ _id: 1, a: 1 }, { _id: 2 }]);
    expect(shop.runCommand({ collMod: 'people', validator: { a: { $exists: true } } }).ok, 1);
  });
  step('statistics', () => {
    expect(shop.people.stats().count, 2);
    expect(shop.people.dataSize() > 0, true);
    expect(shop.people.totalIndexSize() > 0, true);
    expect(shop.stats().ok, 1);
    expect(shop.people.validate().valid, true);
    expect(shop.people.estimatedDocumentCount(), 2);
    expect(db.serverStatus().ok, 1);
    expect(db.version().startsWith('8.0'), true);
    expect(db.serverBuildInfo().ok, 1);
    expect(db.adminCommand({ getParameter: 1, featureCompatibilityVersion: 1 }).featureCompatibilityVersion.version, '8.0');
    expect(db.hello().isWritablePrimary, true);
  });
  step('indexes', () => {
    expect(shop.people.createIndexes([{ a: 1 }, { name: 'text' }, { 'p.$**': 1 }]).join(), 'a_1,name_text,p.$**_1');
    expect(shop.people.getIndexKeys().length, 4);
    shop.people.hideIndex('a_1');
    expect(shop.people.getIndexes().find((index) => index.name === 'a_1').hidden, true);
    shop.people.unhideIndex('a_1');
    shop.people.dropIndex('a_1');
    shop.people.dropIndexes();
    expect(shop.people.getIndexes().length, 1);
  });
  step('writes', () => {
    shop.bulk.insertOne({ _id: 1 });
    const bulk = shop.bulk.initializeUnorderedBulkOp();
    bulk.insert({ _id: 2 });
    bulk.find({ _id: 1 }).update({ $set: { a: 1 } });
    bulk.find({ _id: 3 }).upsert().updateOne({ $set: { a: 3 } });
    bulk.find({ _id: 2 }).deleteOne();
    const result = bulk.execute();
    expect([result.insertedCount, result.modifiedCount, result.upsertedCount, result.deletedCount].join(), '1,1,1,1');
    expect(shop.bulk.findAndModify({ query: { _id: 1 }, update: { $inc: { a: 1 } }, new: true }).a, 2);
    expect(shop.bulk.findOneAndDelete({ _id: 3 }).a, 3);
    expect(shop.bulk.replaceOne({ _id: 1 }, { b: 1 }).modifiedCount, 1);
  });
  step('operations in progress', () => {
    if (isRouter) return; // routers do not tell theirs yet
    expect(db.currentOp().ok, 1);
    expect(db.getSiblingDB('admin').aggregate([{ $currentOp: {} }]).toArray().length > 0, true);
  });
  step('transactions', () => {
    if (isRouter) return; // routers have none yet
    const session = db.getMongo().startSession();
    const bank = session.getDatabase('language_shell').bank;
    session.startTransaction();
    bank.insertOne({ _id: 1 });
    session.abortTransaction();
    expect(shop.bank.countDocuments({}), 0);
    session.withTransaction(() => bank.insertOne({ _id: 2 }));
    expect(shop.bank.countDocuments({}), 1);
    session.endSession();
  });
  step('ends', () => {
    expect(shop.dropDatabase().ok, 1);
  });
})();
