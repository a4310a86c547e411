// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.compatibility;

import java.util.List;

/** The names of MongoDB 8.0's manual. */
final class Names {
  static final List<String> QUERY =
      names(
          """
          $all $and $bitsAllClear $bitsAllSet $bitsAnyClear $bitsAnySet $comment $elemMatch $eq
          $exists $expr $geoIntersects $geoWithin $gt $gte $in $jsonSchema $lt $lte $mod $ne $near
          $nearSphere $nin $nor $not $or $rand $regex $sampleRate $size $text $type $where
          """);

  static final List<String> UPDATE =
      names(
          """
          $addToSet $bit $currentDate $inc $max $min $mul $pop $pull $pullAll $push $rename $set
          $setOnInsert $unset
          """);

  static final List<String> PROJECTION = names("$ $elemMatch $meta $slice");

  static final List<String> MODIFIERS = names("$ $[] $[<identifier>] $each $position $slice $sort");

  static final List<String> VARIABLES =
      names(
          """
          $$CLUSTER_TIME $$CURRENT $$DESCEND $$KEEP $$NOW $$PRUNE $$REMOVE $$ROOT $$SEARCH_META
          $$USER_ROLES
          """);

  static final List<String> STAGES =
      names(
          """
          $addFields $bucket $bucketAuto $changeStream $changeStreamSplitLargeEvent $collStats
          $count $currentOp $densify $documents $facet $fill $geoNear $graphLookup $group
          $indexStats $limit $listLocalSessions $listSampledQueries $listSearchIndexes $listSessions
          $lookup $match $merge $out $planCacheStats $project $querySettings $queryStats $redact
          $replaceRoot $replaceWith $sample $search $searchMeta $set $setWindowFields
          $shardedDataDistribution $skip $sort $sortByCount $unionWith $unset $unwind $vectorSearch
          """);

  static final List<String> EXPRESSIONS =
      names(
          """
          $abs $accumulator $acos $acosh $add $allElementsTrue $and $anyElementTrue $arrayElemAt
          $arrayToObject $asin $asinh $atan $atan2 $atanh $avg $binarySize $bitAnd $bitNot $bitOr
          $bitXor $bsonSize $ceil $cmp $concat $concatArrays $cond $convert $cos $cosh $dateAdd
          $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateToString
          $dateTrunc $dayOfMonth $dayOfWeek $dayOfYear $degreesToRadians $divide $eq $exp $filter
          $first $firstN $floor $function $getField $gt $gte $hour $ifNull $in $indexOfArray
          $indexOfBytes $indexOfCP $isArray $isNumber $isoDayOfWeek $isoWeek $isoWeekYear $last
          $lastN $let $literal $ln $log $log10 $lt $lte $ltrim $map $max $maxN $median $mergeObjects
          $meta $millisecond $min $minN $minute $mod $month $multiply $ne $not $objectToArray $or
          $percentile $pow $radiansToDegrees $rand $range $reduce $regexFind $regexFindAll
          $regexMatch $replaceAll $replaceOne $reverseArray $round $rtrim $sampleRate $second
          $setDifference $setEquals $setField $setIntersection $setIsSubset $setUnion $sin $sinh
          $size $slice $sortArray $split $sqrt $stdDevPop $stdDevSamp $strLenBytes $strLenCP
          $strcasecmp $substr $substrBytes $substrCP $subtract $sum $switch $tan $tanh $toBool
          $toDate $toDecimal $toDouble $toHashedIndexKey $toInt $toLong $toLower $toObjectId
          $toString $toUUID $toUpper $trim $trunc $tsIncrement $tsSecond $type $unsetField $week
          $year $zip
          """);

  static final List<String> ACCUMULATORS =
      names(
          """
          $accumulator $addToSet $avg $bottom $bottomN $count $first $firstN $last $lastN $max $maxN
          $median $mergeObjects $min $minN $percentile $push $stdDevPop $stdDevSamp $sum $top $topN
          """);

  static final List<String> WINDOW =
      names(
          """
          $addToSet $avg $bottom $bottomN $count $covariancePop $covarianceSamp $denseRank
          $derivative $documentNumber $expMovingAvg $first $firstN $integral $last $lastN
          $linearFill $locf $max $maxN $median $min $minN $percentile $push $rank $shift $stdDevPop
          $stdDevSamp $sum $top $topN
          """);

  private Names() {}

  private static List<String> names(String text) {
    return List.of(text.strip().split("\\s+"));
  }
}
