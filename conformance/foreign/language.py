# SPDX-License-Identifier: Apache-2.0
"""PyMongo: what a server has to know, as this driver's documentation promises it."""
import datetime
import os
import time

import pymongo
from bson import Binary, Code, Decimal128, Int64, MaxKey, MinKey, ObjectId, Regex, Timestamp
from bson.son import SON
from gridfs import GridFS, GridFSBucket, NoFile
from pymongo.collation import Collation
from pymongo.errors import (
    BulkWriteError,
    CursorNotFound,
    DuplicateKeyError,
    ExecutionTimeout,
    OperationFailure,
    WriteError,
)

from steps import expect, step

client = pymongo.MongoClient(os.environ["FAIRLEAD_URI"], appname="language-python", serverSelectionTimeoutMS=15000)
is_router = client.admin.command("isMaster").get("msg") == "isdbgrid"
client.drop_database("language_python")
database = client.language_python


def refused(code, body):
    try:
        body()
    except OperationFailure as error:
        expect(error.code, code)
        return error
    raise AssertionError("was not refused with %d" % code)


def values_of_every_type():
    document = {
        "_id": ObjectId(),
        "null": None,
        "bool": True,
        "int": 7,
        "long": Int64(2**40),
        "double": 1.5,
        "decimal": Decimal128("12345678901234567890.123"),
        "text": "Grüße \U0001f600",
        "bytes": b"\x00\x01",
        "subtype": Binary(b"0123456789abcdef", 128),
        "date": datetime.datetime(2026, 1, 2, 3, 4, 5, 678000),
        "regex": Regex("^a", "i"),
        "code": Code("return 1"),
        "timestamp": Timestamp(5, 6),
        "min": MinKey(),
        "max": MaxKey(),
        "array": [1, [2, {"a": [3]}], {}],
        "document": {"a": {"b": {"c": 1}}},
    }
    database.types.insert_one(document)
    expect(database.types.find_one(), document)
    for field, alias in [("decimal", "decimal"), ("bytes", "binData"), ("regex", "regex"), ("min", "minKey")]:
        expect(database.types.count_documents({field: {"$type": alias}}), 1)


def order_across_types():
    mixed = [MinKey(), None, 1, "a", {"a": 1}, b"x", ObjectId(), True, datetime.datetime(2026, 1, 1), MaxKey()]
    database.order.insert_many({"v": v} for v in reversed(mixed))
    expect([d["v"] for d in database.order.find().sort("v", 1)], mixed)
    expect([d["v"] for d in database.order.find().sort("v", -1)], mixed[::-1])


def indexes_of_every_kind():
    c = database.indexed
    c.insert_many(
        {"_id": i, "a": i % 10, "tags": ["t%d" % (i % 3), "all"], "w": {"x": i, "y": -i}, "s": "Ab%d" % i} for i in range(100)
    )
    expect(c.create_index([("a", 1), ("_id", -1)]), "a_1__id_-1")
    expect(c.create_index("tags"), "tags_1")
    expect(c.create_index([("a", pymongo.HASHED)]), "a_hashed")
    expect(c.create_index("s", sparse=True, unique=True, name="by text"), "by text")
    expect(c.create_index("w.$**"), "w.$**_1")
    c.create_index("w.y", partialFilterExpression={"a": {"$gte": 5}}, name="part")
    known = c.index_information()
    expect(known["by text"]["unique"], True)
    expect(known["part"]["partialFilterExpression"], {"a": {"$gte": 5}})
    expect(known["a_hashed"]["key"], [("a", "hashed")])
    for query, n in [({"a": 3}, 10), ({"tags": "t1"}, 33), ({"w.x": {"$lt": 7}}, 7), ({"s": "Ab5"}, 1), ({"tags": {"$all": ["t0", "all"]}}, 34)]:
        expect(c.count_documents(query), n)
        expect(len(list(c.find(query).hint([("$natural", 1)]))), n)
    refused(85, lambda: c.create_index("s", name="other", sparse=True, unique=True))
    refused(86, lambda: c.create_index("a", name="part"))
    refused(27, lambda: c.drop_index("nothing"))
    refused(2, lambda: list(c.find({}).hint("nothing")))
    try:
        c.insert_one({"s": "Ab5"})
        raise AssertionError("a duplicate was accepted")
    except DuplicateKeyError as error:
        expect(error.details["keyPattern"], {"s": 1})
        expect(error.details["keyValue"], {"s": "Ab5"})
    c.insert_one({"_id": 1000})
    database.parallel.create_index([("a", 1), ("b", 1)])
    refused(171, lambda: database.parallel.insert_one({"a": [1], "b": [2]}))
    checked = database.validate_collection("indexed")
    expect((checked["valid"], checked["nIndexes"]), (True, 7))
    c.drop_index("part")
    c.drop_indexes()
    expect(list(c.index_information()), ["_id_"])


def text_index():
    c = database.texts
    c.insert_many([{"_id": 1, "t": "the running dogs"}, {"_id": 2, "t": "a dog ran, and ran"}, {"_id": 3, "t": "cats"}])
    refused(27, lambda: list(c.find({"$text": {"$search": "dog"}})))
    c.create_index([("t", pymongo.TEXT)], default_language="english")
    found = c.find({"$text": {"$search": "dog"}}, {"score": {"$meta": "textScore"}}).sort([("score", {"$meta": "textScore"})])
    found = list(found)
    expect(sorted(d["_id"] for d in found), [1, 2])
    expect(all(d["score"] > 0 for d in found), True)
    expect([d["_id"] for d in c.find({"$text": {"$search": "dog -running"}})], [2])
    expect([d["_id"] for d in c.find({"$text": {"$search": '"running dogs"'}})], [1])


def geo_indexes():
    c = database.places
    c.insert_many(
        {"_id": n, "at": {"type": "Point", "coordinates": [lon, lat]}}
        for n, lon, lat in [("Vienna", 16.37, 48.21), ("Graz", 15.44, 47.07), ("Linz", 14.29, 48.31), ("Rome", 12.5, 41.9)]
    )
    c.create_index([("at", pymongo.GEOSPHERE)])
    vienna = SON([("type", "Point"), ("coordinates", [16.37, 48.21])])
    near = c.find({"at": {"$near": SON([("$geometry", vienna), ("$maxDistance", 300000)])}})
    expect([d["_id"] for d in near], ["Vienna", "Graz", "Linz"])
    box = {"type": "Polygon", "coordinates": [[[14, 48], [17, 48], [17, 49], [14, 49], [14, 48]]]}
    expect(sorted(d["_id"] for d in c.find({"at": {"$geoWithin": {"$geometry": box}}})), ["Linz", "Vienna"])
    expect(c.count_documents({"at": {"$geoIntersects": {"$geometry": box}}}), 2)
    stage = SON([("near", vienna), ("distanceField", "far"), ("spherical", True)])
    far = list(c.aggregate([{"$geoNear": stage}, {"$limit": 2}]))
    expect([d["_id"] for d in far], ["Vienna", "Graz"])
    expect(140000 < far[1]["far"] < 150000, True)
    flat = database.flat
    flat.create_index([("p", pymongo.GEO2D)], min=0, max=100)
    flat.insert_many({"_id": i, "p": [i, i]} for i in range(10))
    expect([d["_id"] for d in flat.find({"p": {"$near": [3, 3]}}).limit(1)], [3])
    expect(flat.count_documents({"p": {"$geoWithin": {"$box": [[2, 2], [4, 4]]}}}), 3)


def ttl_index():
    c = database.sessions
    c.create_index("at", expireAfterSeconds=60)
    expect(c.index_information()["at_1"]["expireAfterSeconds"], 60)
    database.command("collMod", "sessions", index={"name": "at_1", "expireAfterSeconds": 1})
    expect(c.index_information()["at_1"]["expireAfterSeconds"], 1)
    refused(67, lambda: c.create_index([("a", 1), ("b", 1)], expireAfterSeconds=1))


def hidden_index():
    c = database.hidden
    c.insert_many({"a": i} for i in range(20))
    c.create_index("a", hidden=True)
    stage = lambda: c.find({"a": 3}).explain()["queryPlanner"]["winningPlan"]
    expect("IXSCAN" in str(stage()), False)
    database.command("collMod", "hidden", index={"keyPattern": {"a": 1}, "hidden": False})
    expect("IXSCAN" in str(stage()), True)


def explained():
    c = database.explained
    c.insert_many({"_id": i, "a": i % 7, "b": i} for i in range(200))
    c.create_index([("a", 1), ("b", 1)])
    plan = c.find({"a": 3, "b": {"$gt": 50}}).sort("b", -1).explain()
    text = str(plan)
    expect("IXSCAN" in text and "a_1_b_1" in text and "'direction': 'backward'" in text, True)
    if not is_router:
        stats = plan["executionStats"]
        expect(stats["executionSuccess"], True)
        expect(stats["nReturned"], c.count_documents({"a": 3, "b": {"$gt": 50}}))
        expect(stats["totalKeysExamined"] <= stats["nReturned"] + 1, True)
    covered = c.find({"a": 3}, {"_id": 0, "a": 1, "b": 1}).explain()
    expect("PROJECTION_COVERED" in str(covered), True)
    expect("COLLSCAN" in str(c.find({"none": 1}).explain()), True)
    counted = database.command("explain", {"count": "explained", "query": {"a": 1}}, verbosity="queryPlanner")
    expect("COUNT" in str(counted), True)
    staged = database.command(
        "explain", {"aggregate": "explained", "pipeline": [{"$group": {"_id": "$a"}}], "cursor": {}}, verbosity="executionStats"
    )
    expect("$group" in str(staged) or "GROUP" in str(staged), True)
    written = database.command(
        "explain", {"update": "explained", "updates": [{"q": {"a": 1}, "u": {"$set": {"c": 1}}}]}, verbosity="queryPlanner"
    )
    expect("UPDATE" in str(written), True)
    expect(c.count_documents({"c": 1}), 0)


def time_series():
    database.create_collection("weather", timeseries={"timeField": "ts", "metaField": "where", "granularity": "hours"})
    start = datetime.datetime(2026, 3, 1)
    database.weather.insert_many(
        {"ts": start + datetime.timedelta(hours=i), "where": {"city": "abc"[i % 3]}, "t": i} for i in range(72)
    )
    expect(database.weather.count_documents({}), 72)
    expect(database.weather.count_documents({"where.city": "a", "ts": {"$gte": start + datetime.timedelta(hours=36)}}), 12)
    days = database.weather.aggregate(
        [
            {"$group": {"_id": {"$dateTrunc": {"date": "$ts", "unit": "day"}}, "max": {"$max": "$t"}}},
            {"$sort": {"_id": 1}},
        ]
    )
    expect([d["max"] for d in days], [23, 47, 71])
    kinds = {c["name"]: c["type"] for c in database.list_collections()}
    expect(kinds["weather"], "timeseries")
    try:
        database.weather.insert_one({"where": 1})
        raise AssertionError("a measurement without time was accepted")
    except WriteError as error:
        expect(error.code, 2)


def views():
    database.base.insert_many({"_id": i, "secret": i * i, "group": i % 2} for i in range(10))
    database.create_collection("shown", viewOn="base", pipeline=[{"$project": {"secret": 0}}, {"$match": {"group": 1}}])
    expect([d["_id"] for d in database.shown.find().sort("_id", 1)], [1, 3, 5, 7, 9])
    expect("secret" in database.shown.find_one(), False)
    expect(database.shown.count_documents({"_id": {"$gt": 4}}), 3)
    expect(sorted(database.shown.distinct("_id")), [1, 3, 5, 7, 9])
    refused(166, lambda: database.shown.insert_one({"_id": 11}))
    refused(166, lambda: database.shown.create_index("a"))
    database.command("collMod", "shown", viewOn="base", pipeline=[])
    expect(database.shown.count_documents({}), 10)


def validators():
    schema = {"bsonType": "object", "required": ["name"], "properties": {"age": {"bsonType": "int", "minimum": 0}}}
    database.create_collection("checked", validator={"$jsonSchema": schema})
    database.checked.insert_one({"name": "a", "age": 1})
    for wrong in [{"age": 1}, {"name": "b", "age": -1}, {"name": "b", "age": "x"}]:
        try:
            database.checked.insert_one(wrong)
            raise AssertionError("%r was accepted" % wrong)
        except WriteError as error:
            expect(error.code, 121)
            expect("errInfo" in error.details, True)
    database.command("insert", "checked", documents=[{"age": 2}], bypassDocumentValidation=True)
    database.command("collMod", "checked", validationLevel="moderate")
    database.checked.update_one({"age": 2}, {"$set": {"age": 3}})
    refused(121, lambda: database.checked.update_one({"name": "a"}, {"$set": {"age": -1}}))
    database.command("collMod", "checked", validationAction="warn")
    database.checked.insert_one({"age": 9})


def capped_and_tailable():
    database.create_collection("log", capped=True, size=100000, max=5)
    database.log.insert_many({"_id": i} for i in range(8))
    expect([d["_id"] for d in database.log.find()], [3, 4, 5, 6, 7])
    expect([d["_id"] for d in database.log.find().sort("$natural", -1).limit(2)], [7, 6])
    tail = database.log.find(cursor_type=pymongo.CursorType.TAILABLE)
    expect(len([tail.next() for _ in range(5)]), 5)
    database.log.insert_one({"_id": 8})
    expect(tail.next()["_id"], 8)
    expect(tail.alive, True)
    tail.close()


def collations():
    c = database.words
    c.insert_many({"w": w} for w in ["zebra", "Apfel", "äpfel", "apfel", "Zoo", "item10", "item9"])
    german = Collation("de", strength=1)
    expect(c.count_documents({"w": "APFEL"}, collation=german), 3)
    expect(c.count_documents({"w": "APFEL"}), 0)
    numeric = Collation("en", numericOrdering=True)
    expect([d["w"] for d in c.find({"w": {"$regex": "^item"}}).collation(numeric).sort("w", 1)], ["item9", "item10"])
    c.create_index("w", collation=Collation("en", strength=2), name="folded")
    expect("folded" in str(c.find({"w": "ZEBRA"}).collation(Collation("en", strength=2)).explain()), True)
    expect("folded" in str(c.find({"w": "ZEBRA"}).explain()), False)
    expect(sorted(c.distinct("w", {"w": "ZOO"}, collation=Collation("en", strength=2))), ["Zoo"])
    refused(2, lambda: list(c.find({}).collation({"locale": "nowhere"})))


def cursors():
    c = database.many
    c.insert_many({"_id": i} for i in range(1000))
    cursor = c.find({}, batch_size=10).sort("_id", 1)
    expect([next(cursor)["_id"] for _ in range(25)], list(range(25)))
    number = cursor.cursor_id
    expect(number != 0, True)
    killed = database.command("killCursors", "many", cursors=[Int64(number), Int64(12345)])
    expect((killed["cursorsKilled"], killed["cursorsNotFound"]), ([number], [12345]))
    try:
        list(cursor)
        raise AssertionError("a killed cursor went on")
    except CursorNotFound as error:
        expect(error.code, 43)
    first = database.command("find", "many", batchSize=0)
    expect(first["cursor"]["firstBatch"], [])
    more = database.command("getMore", Int64(first["cursor"]["id"]), collection="many", batchSize=3)
    expect(len(more["cursor"]["nextBatch"]), 3)
    database.command("killCursors", "many", cursors=[first["cursor"]["id"]])
    expect(len(list(c.find().skip(990).limit(50))), 10)
    expect(len(list(c.find().limit(-5))), 5)
    expect(len(list(c.aggregate([{"$match": {}}], batchSize=7))), 1000)


def time_limit_stops():
    database.slow.insert_many({"_id": i, "a": list(range(50))} for i in range(400))
    began = time.time()
    endless = [{"$unwind": "$a"}, {"$lookup": {"from": "slow", "let": {"a": "$a"}, "as": "x", "pipeline": [
        {"$unwind": "$a"}, {"$match": {"$expr": {"$gt": [{"$add": ["$a", "$$a"]}, 1000]}}}]}}]
    try:
        list(database.slow.aggregate(endless, maxTimeMS=100))
        raise AssertionError("it was not stopped")
    except ExecutionTimeout as error:
        expect(error.code, 50)
    expect(time.time() - began < 5, True)
    try:
        list(database.slow.find({"$expr": {"$gt": [{"$reduce": {
            "input": {"$range": [0, 2000000]}, "initialValue": 0, "in": {"$add": ["$$value", "$$this"]}}}, -1]}}).max_time_ms(50))
        raise AssertionError("it was not stopped")
    except ExecutionTimeout as error:
        expect(error.code, 50)


def transactions():
    bank = database.bank
    bank.insert_many([{"_id": 1, "have": 100}, {"_id": 2, "have": 0}])
    with client.start_session() as session:

        def move(s):
            bank.update_one({"_id": 1}, {"$inc": {"have": -30}}, session=s)
            bank.update_one({"_id": 2}, {"$inc": {"have": 30}}, session=s)
            expect(bank.find_one({"_id": 2}, session=s)["have"], 30)
            expect(bank.find_one({"_id": 2})["have"], 0)

        session.with_transaction(move)
        expect([d["have"] for d in bank.find().sort("_id", 1)], [70, 30])
        session.start_transaction()
        bank.delete_many({}, session=session)
        expect(bank.count_documents({}, session=session), 0)
        session.abort_transaction()
        expect(bank.count_documents({}), 2)
        session.start_transaction()
        bank.update_one({"_id": 1}, {"$inc": {"have": 1}}, session=session)
        with client.start_session() as other:
            other.start_transaction()
            error = refused(112, lambda: bank.update_one({"_id": 1}, {"$inc": {"have": 1}}, session=other))
            expect(error.has_error_label("TransientTransactionError"), True)
            other.abort_transaction()
        session.commit_transaction()
        expect(bank.find_one({"_id": 1})["have"], 71)
        session.start_transaction()
        database.born.insert_one({"a": 1}, session=session)
        session.commit_transaction()
        expect(database.born.count_documents({}), 1)


def files():
    fs = GridFS(database)
    data = bytes(range(256)) * 4000
    number = fs.put(data, filename="a.bin", kind="first")
    expect(fs.get(number).read(), data)
    fs.put(b"second", filename="a.bin")
    expect(fs.get_last_version("a.bin").read(), b"second")
    expect(fs.get_version("a.bin", 0).length, len(data))
    expect([f.filename for f in fs.find({"kind": "first"})], ["a.bin"])
    bucket = GridFSBucket(database, chunk_size_bytes=1000)
    with bucket.open_upload_stream("s.bin") as stream:
        stream.write(data[:2500])
    out = bucket.open_download_stream_by_name("s.bin")
    out.seek(1990)
    expect(out.read(20), data[1990:2010])
    expect(database.fs.chunks.count_documents({"files_id": out._id}), 3)
    fs.delete(number)
    try:
        fs.get(number)
        raise AssertionError("a deleted file is there")
    except NoFile:
        pass


def bulk_writes():
    c = database.bulk
    c.insert_one({"_id": 5})
    requests = [
        pymongo.InsertOne({"_id": 1, "a": [1, 2, 3]}),
        pymongo.InsertOne({"_id": 5}),
        pymongo.UpdateOne({"_id": 1}, {"$set": {"a.$[e]": 9}}, array_filters=[{"e": {"$gt": 1}}]),
        pymongo.ReplaceOne({"_id": 7}, {"b": 1}, upsert=True),
        pymongo.UpdateMany({}, [{"$set": {"n": {"$add": [{"$ifNull": ["$b", 0]}, 1]}}}]),
        pymongo.DeleteOne({"_id": 5}),
    ]
    try:
        c.bulk_write(requests)
        raise AssertionError("a duplicate was accepted")
    except BulkWriteError as error:
        expect((error.details["nInserted"], error.details["writeErrors"][0]["index"]), (1, 1))
    c.delete_one({"_id": 1})
    try:
        c.bulk_write(requests, ordered=False)
        raise AssertionError("a duplicate was accepted")
    except BulkWriteError as error:
        d = error.details
        expect((d["nInserted"], d["nMatched"], d["nUpserted"], d["nRemoved"]), (1, 4, 1, 1))
        expect([u["_id"] for u in d["upserted"]], [7])
    expect(c.find_one({"_id": 1}), {"_id": 1, "a": [1, 9, 9], "n": 1})
    expect(c.find_one({"_id": 7}), {"_id": 7, "b": 1, "n": 2})


def find_and_modify():
    c = database.queue
    c.insert_many({"_id": i, "p": -i, "items": [{"k": 1, "v": i}, {"k": 2, "v": 0}]} for i in range(5))
    expect(c.find_one_and_update({}, {"$set": {"taken": True}}, sort=[("p", 1)])["_id"], 4)
    after = c.find_one_and_update(
        {"items.k": 2, "_id": 3}, {"$inc": {"items.$.v": 5}}, projection={"items.v": 1}, return_document=True
    )
    expect(after["items"], [{"v": 3}, {"v": 5}])
    expect(c.find_one_and_replace({"_id": 9}, {"x": 1}, upsert=True), None)
    expect(c.find_one_and_delete({"_id": 9}), {"_id": 9, "x": 1})
    refused(66, lambda: c.update_one({"_id": 1}, {"$set": {"_id": 2}}))
    refused(40, lambda: c.update_one({"_id": 1}, {"$set": {"a": 1, "a.b": 2}}))
    refused(9, lambda: c.update_one({"_id": 1}, {"$noSuch": {"a": 1}}))


def pipelines():
    c = database.sales
    c.insert_many({"_id": i, "who": "abc"[i % 3], "n": i, "on": datetime.datetime(2026, 1, 1 + i)} for i in range(12))
    database.people.insert_many([{"_id": "a", "name": "Ann"}, {"_id": "b", "name": "Bob"}])
    joined = c.aggregate(
        [
            {"$group": {"_id": "$who", "sum": {"$sum": "$n"}, "top": {"$topN": {"n": 2, "sortBy": {"n": -1}, "output": "$n"}}}},
            {"$lookup": {"from": "people", "localField": "_id", "foreignField": "_id", "as": "p"}},
            {"$set": {"name": {"$ifNull": [{"$first": "$p.name"}, "?"]}}},
            {"$project": {"p": 0}},
            {"$sort": {"_id": 1}},
        ]
    )
    expect(
        list(joined),
        [
            {"_id": "a", "sum": 18, "top": [9, 6], "name": "Ann"},
            {"_id": "b", "sum": 22, "top": [10, 7], "name": "Bob"},
            {"_id": "c", "sum": 26, "top": [11, 8], "name": "?"},
        ],
    )
    window = c.aggregate(
        [
            {"$setWindowFields": {"partitionBy": "$who", "sortBy": {"on": 1}, "output": {
                "run": {"$sum": "$n", "window": {"documents": ["unbounded", "current"]}}, "rank": {"$rank": {}}}}},
            {"$match": {"rank": 4}},
            {"$sort": {"who": 1}},
        ]
    )
    expect([d["run"] for d in window], [18, 22, 26])
    facets = list(c.aggregate([{"$facet": {"n": [{"$count": "n"}], "b": [{"$bucketAuto": {"groupBy": "$n", "buckets": 3}}]}}]))
    expect((facets[0]["n"][0]["n"], len(facets[0]["b"])), (12, 3))
    list(c.aggregate([{"$match": {"who": "a"}}, {"$merge": {"into": "merged", "whenMatched": "merge"}}]))
    list(c.aggregate([{"$match": {"who": "b"}}, {"$out": "outed"}]))
    expect((database.merged.count_documents({}), database.outed.count_documents({})), (4, 4))
    refused(40324, lambda: list(c.aggregate([{"$noSuchStage": {}}])))
    refused(168, lambda: list(c.aggregate([{"$set": {"a": {"$noSuchExpression": 1}}}])))


def administration():
    expect(database.command("collStats", "sales")["count"], 12)
    expect(database.command("dbStats")["collections"] > 5, True)
    expect(database.validate_collection("sales")["valid"], True)
    database.old.insert_one({"_id": 1})
    database.old.rename("new")
    refused(26, lambda: database.old.rename("newer"))
    refused(48, lambda: database.new.rename("sales"))
    expect(database.new.options(), {})
    expect(database.sales.estimated_document_count(), 12)
    database.new.drop()
    expect("new" in database.list_collection_names(), False)
    expect("language_python" in client.list_database_names(), True)
    expect(client.server_info()["version"].startswith("8.0"), True)
    refused(59, lambda: database.command("noSuchCommand"))
    refused(48, lambda: database.command("create", "sales", capped=True, size=5000))
    expect(len(client.admin.command("listCommands")["commands"]) > 20, True)


def ends():
    client.drop_database("language_python")
    expect("language_python" in client.list_database_names(), False)


STEPS = [
    values_of_every_type,
    order_across_types,
    indexes_of_every_kind,
    text_index,
    geo_indexes,
    ttl_index,
    hidden_index,
    explained,
    time_series,
    views,
    validators,
    capped_and_tailable,
    collations,
    cursors,
    time_limit_stops,
    files,
    bulk_writes,
    find_and_modify,
    pipelines,
    administration,
]
for each in STEPS:
    step(each.__name__.replace("_", " "), each)
if not is_router:  # routers have no transactions yet
    step("transactions", transactions)
step("ends", ends)
