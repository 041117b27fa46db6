//! Answers the real rmcp client with raw payloads and prints what it says.

use std::collections::HashMap;
use std::io::BufRead;

use rmcp::model::{CallToolRequestParams, PaginatedRequestParams};
use rmcp::ServiceExt;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

const INITIALIZE: &str = r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}"#;

async fn serve(stream: tokio::io::DuplexStream, answers: HashMap<&'static str, String>) {
    let (read, mut write) = tokio::io::split(stream);
    let mut lines = BufReader::new(read).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(&line) else { continue };
        let Some(id) = message.get("id") else { continue };
        let method = message["method"].as_str().unwrap_or("");
        let text = match answers.get(method) {
            Some(answer) => format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{answer}}}\n"),
            None => format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":-32601,\"message\":\"no such method\"}}}}\n"),
        };
        if write.write_all(text.as_bytes()).await.is_err() {
            return;
        }
    }
}

async fn says(part: &str, payload: String) -> Result<(), String> {
    let mut answers = HashMap::from([
        ("initialize", INITIALIZE.to_string()),
        ("tools/list", r#"{"tools":[]}"#.to_string()),
        ("tools/call", r#"{"content":[]}"#.to_string()),
    ]);
    let method = match part {
        "initialize" => "initialize",
        "list" => "tools/list",
        _ => "tools/call",
    };
    let rounds = payload.contains("requestState");
    answers.insert(method, payload);
    let (near, far) = tokio::io::duplex(1 << 20);
    let server = tokio::spawn(serve(far, answers));
    let outcome = async {
        let client = ().serve(near).await.map_err(|e| e.to_string())?;
        match part {
            "list" => client.list_tools(None::<PaginatedRequestParams>).await.map(|_| ()).map_err(|e| e.to_string()),
            "result" => client.call_tool(CallToolRequestParams::new("plain")).await.map(|_| ()).map_err(|e| e.to_string()),
            _ => Ok(()),
        }
    };
    let outcome = tokio::time::timeout(std::time::Duration::from_millis(300), outcome).await;
    server.abort();
    match outcome {
        Ok(outcome) => outcome,
        // The client sends a request that needs input again and again: accepted.
        Err(_) if rounds => Ok(()),
        Err(_) => Err("(no answer: the message was dropped)".to_string()),
    }
}

#[tokio::main]
async fn main() {
    for line in std::io::stdin().lock().lines() {
        let item: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let part = item["part"].as_str().unwrap();
        if part == "discover" {
            continue;
        }
        let payload = item["payload"].as_str().unwrap().to_string();
        match says(part, payload).await {
            Ok(()) => println!("{}", serde_json::json!({"id": item["id"]})),
            Err(text) => println!("{}", serde_json::json!({"id": item["id"], "text": text})),
        }
    }
}
