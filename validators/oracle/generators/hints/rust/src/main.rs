//! What the hints of `conform fix` ask of an author, done with the real schemars: the schema before and after the
//! change in the source, one JSON line each.
#![allow(dead_code)]

use schemars::generate::SchemaSettings;
use schemars::{schema_for, transform::transform_subschemas, JsonSchema, Schema};
use serde::Serialize;
use serde_json::{json, Value};

fn line(rewrite: &str, change: &str, before: Value, after: Value) {
    println!("{}", json!({"generator": "schemars", "version": "schemars 1.2.3",
        "rewrite": rewrite, "change": change, "before": before, "after": after}));
}

fn of<T: JsonSchema>() -> Value { serde_json::to_value(schema_for!(T)).unwrap() }

#[derive(Serialize, JsonSchema)]
struct Pair { v: (f64, String) }

#[derive(Serialize, JsonSchema)]
struct Extended { #[schemars(extend("items" = false))] v: (f64, String) }

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum NumberOrText { Number(f64), Text(String) }

#[derive(Serialize, JsonSchema)]
struct PairList { #[schemars(with = "Vec<NumberOrText>", length(min = 2, max = 2))] v: (f64, String) }

#[derive(Serialize, JsonSchema)]
struct SameList { #[schemars(with = "Vec<f64>", length(min = 2, max = 2))] v: (f64, f64) }

#[derive(Serialize, JsonSchema)]
struct Same { v: (f64, f64) }

#[derive(Serialize, JsonSchema)]
struct Time { v: chrono::DateTime<chrono::Utc> }

#[derive(Serialize, JsonSchema)]
struct TimeText { #[schemars(with = "String")] v: chrono::DateTime<chrono::Utc> }

#[derive(Serialize, JsonSchema)]
struct Count { v: u32, w: Option<i64> }

#[derive(Serialize, JsonSchema)]
struct Any { v: serde_json::Value }

#[derive(Serialize, JsonSchema)]
struct AnyDescribed {
    /// Anything.
    v: serde_json::Value,
}

#[derive(Serialize, JsonSchema)]
struct AnyMap { #[schemars(with = "serde_json::Map<String, serde_json::Value>")] v: serde_json::Value }

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Closed { a: String }

#[derive(Serialize, JsonSchema)]
struct Open { a: String }

#[derive(Serialize, JsonSchema)]
struct Point { x: f64 }

#[derive(Serialize, JsonSchema)]
struct Line { a: Point, b: Point }

#[derive(Serialize, JsonSchema)]
#[serde(tag = "kind")]
enum Tagged { A { n: f64 }, B { s: String } }

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Untagged { A { n: f64 }, B { s: String } }

#[derive(Serialize, JsonSchema)]
struct HoldsTagged { v: Tagged }

#[derive(Serialize, JsonSchema)]
struct HoldsUntagged { v: Untagged }

/// The transform that a hint asks for.
fn without_format(schema: &mut Schema) {
    schema.remove("format");
    transform_subschemas(&mut without_format, schema);
}

fn main() {
    line("tuple-union-items", "#[schemars(with = \"Vec<A>\", length(min = 2, max = 2))] on a tuple of one type", of::<Same>(), of::<SameList>());
    line("tuple-open-tail", "items: false no longer added by extend", of::<Extended>(), of::<Pair>());
    line("tuple-union-items", "(A, B) to Vec<AorB> with length(min = 2, max = 2)", of::<Pair>(), of::<PairList>());
    line("time-formats-off", "#[schemars(with = \"String\")]", of::<Time>(), of::<TimeText>());
    line("formats-off", "#[schemars(with = \"String\")]", of::<Time>(), of::<TimeText>());
    let settings = || SchemaSettings::draft2020_12();
    let bare = settings().with_transform(without_format).into_generator().into_root_schema_for::<Count>();
    line("number-formats-as-bounds", "a transform that removes format", of::<Count>(), serde_json::to_value(&bare).unwrap());
    line("unknown-formats-off", "a transform that removes format", of::<Count>(), serde_json::to_value(&bare).unwrap());
    line("boolean-subschemas", "a description on the serde_json::Value field", of::<Any>(), of::<AnyDescribed>());
    line("boolean-subschemas", "#[schemars(with = \"serde_json::Map<String, Value>\")]", of::<Any>(), of::<AnyMap>());
    line("object-open", "#[serde(deny_unknown_fields)] dropped", of::<Closed>(), of::<Open>());
    let inline = settings().with(|s| s.inline_subschemas = true).into_generator().into_root_schema_for::<Line>();
    line("inline-refs", "inline_subschemas = true", of::<Line>(), serde_json::to_value(&inline).unwrap());
    line("one-of-as-any-of", "#[serde(untagged)]", of::<HoldsTagged>(), of::<HoldsUntagged>());
    let untagged = settings().with(|s| s.meta_schema = None).into_generator().into_root_schema_for::<Point>();
    line("schema-tag-off", "meta_schema: None", of::<Point>(), serde_json::to_value(&untagged).unwrap());
}
