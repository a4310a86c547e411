# SPDX-License-Identifier: Apache-2.0
"""PyMongo: CRUD, aggregate, cursors, errors, and writes that survive a step-down."""
import os
import sys

import pymongo
from pymongo.errors import DuplicateKeyError
from pymongo.write_concern import WriteConcern

from steps import expect, say, step

client = pymongo.MongoClient(os.environ["FAIRLEAD_URI"], appname="foreign-python", serverSelectionTimeoutMS=15000)
database = client.foreign_python
people = database.people


def connect():
    expect(client.admin.command("ping")["ok"], 1.0)
    client.drop_database("foreign_python")


def insert_and_find():
    people.insert_one({"_id": 1, "name": "ada", "born": 1815})
    people.insert_many([{"_id": 2, "name": "grace", "born": 1906}, {"_id": 3, "name": "alan", "born": 1912}])
    expect(people.find_one({"name": "ada"})["born"], 1815)
    expect([p["name"] for p in people.find({"born": {"$gt": 1900}}).sort("born", -1)], ["alan", "grace"])
    expect(people.count_documents({}), 3)


def update_and_delete():
    expect(people.update_one({"_id": 1}, {"$set": {"died": 1852}}).modified_count, 1)
    expect(people.update_one({"_id": 4}, {"$set": {"name": "edsger"}}, upsert=True).upserted_id, 4)
    after = people.find_one_and_update({"_id": 4}, {"$inc": {"visits": 1}}, return_document=pymongo.ReturnDocument.AFTER)
    expect(after["visits"], 1)
    expect(people.delete_one({"_id": 4}).deleted_count, 1)


def bulk_write():
    result = people.bulk_write(
        [
            pymongo.InsertOne({"_id": 10}),
            pymongo.UpdateOne({"_id": 10}, {"$set": {"a": 1}}),
            pymongo.DeleteOne({"_id": 10}),
        ]
    )
    expect((result.inserted_count, result.modified_count, result.deleted_count), (1, 1, 1))


def cursor_in_batches():
    database.numbers.insert_many([{"_id": i} for i in range(500)])
    expect([d["_id"] for d in database.numbers.find().sort("_id", 1).batch_size(70)], list(range(500)))


def aggregate():
    groups = database.numbers.aggregate(
        [
            {"$match": {"_id": {"$lt": 100}}},
            {"$group": {"_id": {"$mod": ["$_id", 2]}, "n": {"$sum": 1}}},
            {"$sort": {"_id": 1}},
        ]
    )
    expect(list(groups), [{"_id": 0, "n": 50}, {"_id": 1, "n": 50}])


def index():
    expect(people.create_index("name"), "name_1")
    expect(len(people.index_information()), 2)


def duplicate_key():
    try:
        people.insert_one({"_id": 1})
    except DuplicateKeyError as error:
        expect(error.code, 11000)
    else:
        raise AssertionError("a duplicate key was accepted")


def step_down():
    kept = database.get_collection("kept", write_concern=WriteConcern("majority"))
    for i in range(200):
        if i == 20:
            say("step-down please")
        if i == 180:
            sys.stdin.readline()
        kept.insert_one({"_id": i})
    expect([d["_id"] for d in kept.find().sort("_id", 1)], list(range(200)))


step("connect", connect)
step("insert and find", insert_and_find)
step("update and delete", update_and_delete)
step("bulk write", bulk_write)
step("cursor in batches", cursor_in_batches)
step("aggregate", aggregate)
step("index", index)
step("duplicate key", duplicate_key)
step("step-down", step_down)
