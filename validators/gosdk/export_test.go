package gosdk

var DecodeSchema, DecodeValue = decodeSchema, decodeValue
