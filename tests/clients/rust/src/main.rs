//! Runs every client of Rust: prints one JSON line per cell. Arguments: names of clients; none: all.
mod async_openai_client;
mod genai_client;

use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::LazyLock;

#[derive(Deserialize)]
pub struct Expected {
    pub text: String,
    pub input: i64,
    pub output: i64,
    pub weather: HashMap<String, String>,
    pub forecast: String,
    pub pixel: String,
    pub picture: String,
    pub reasoning: String,
    pub thoughts: Vec<String>,
    pub dimensions: usize,
}

pub const ASK_CHAT: &str = "hello";
pub const ASK_TOOLS: &str = "What is the weather?";
pub const ASK_SCHEMA: &str = "Give a structured city.";
pub const ASK_IMAGE: &str = "Describe this picture.";
pub const ASK_THINK: &str = "Please ponder.";
pub const ASK_AGAIN: &str = "Please ponder once more.";
const ASK_BAD: &str = "refuse";
const VENDORS: [&str; 4] = ["openai", "chat", "anthropic", "gemini"];
const CASES: [&str; 10] = ["models", "chat", "stream", "usage", "tools", "schema", "image", "reasoning", "errors", "embeddings"];

pub static URL: LazyLock<String> = LazyLock::new(|| variable("TOLLGATE_URL"));
pub static KEY: LazyLock<String> = LazyLock::new(|| variable("TOLLGATE_KEY"));
pub static WANT: LazyLock<Expected> = LazyLock::new(|| serde_json::from_str(&variable("EXPECTED")).expect("the questions' answers"));

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

/// Why a case failed.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
/// None: the client has no such call.
pub type Outcome = Option<Result<(), Failure>>;

#[derive(Clone, Copy)]
enum Client {
    Chat,
    Responses,
    Genai(genai::adapter::AdapterKind),
}

fn clients() -> Vec<(&'static str, Client)> {
    use genai::adapter::AdapterKind;
    vec![
        ("rust async-openai (chat)", Client::Chat),
        ("rust async-openai (responses)", Client::Responses),
        ("rust genai (openai chat)", Client::Genai(AdapterKind::OpenAI)),
        ("rust genai (openai responses)", Client::Genai(AdapterKind::OpenAIResp)),
        ("rust genai (anthropic)", Client::Genai(AdapterKind::Anthropic)),
        ("rust genai (gemini)", Client::Genai(AdapterKind::Gemini)),
    ]
}

async fn check(client: Client, case: &str, model: &str) -> Outcome {
    match client {
        Client::Chat => async_openai_client::check_chat(case, model).await,
        Client::Responses => async_openai_client::check_responses(case, model).await,
        Client::Genai(kind) => genai_client::check(kind, case, model).await,
    }
}

#[tokio::main]
async fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for (name, client) in clients() {
        if !wanted.is_empty() && !wanted.iter().any(|one| one == name) {
            continue;
        }
        for vendor in VENDORS {
            for case in CASES {
                let (result, reason) = judge(check(client, case, &format!("model-{vendor}")).await, vendor, case);
                if result == "red" {
                    eprintln!("{name} {vendor} {case}: {reason}");
                }
                println!("CELL {}", json!({ "client": name, "vendor": vendor, "case": case, "result": result, "reason": reason }));
            }
        }
    }
}

fn judge(outcome: Outcome, vendor: &str, case: &str) -> (&'static str, String) {
    match outcome {
        None => ("none", "the client has no such call".into()),
        Some(Ok(())) if case == "embeddings" && vendor == "anthropic" => ("red", "a vendor without embeddings answered".into()),
        Some(Err(_)) if case == "embeddings" && vendor == "anthropic" => ("none", "Anthropic has no embeddings: an error answers".into()),
        Some(Ok(())) => ("ok", String::new()),
        Some(Err(failure)) => ("red", failure.to_string()),
    }
}

pub fn same<T: PartialEq + std::fmt::Debug>(found: T, expected: T) -> Result<(), Failure> {
    if found == expected { Ok(()) } else { Err(format!("{found:?} instead of {expected:?}").into()) }
}

pub fn is_city(text: &str) -> Result<(), Failure> {
    same(serde_json::from_str::<Value>(text)?["city"].as_str(), Some("Bonn"))
}

/// The weather that a call of the tool asked for.
pub fn weather(input: &Value) -> Result<&'static str, Failure> {
    let city = input["city"].as_str().ok_or("a call without a city")?;
    Ok(WANT.weather.get(city).ok_or("another city")?)
}

pub fn has_models(found: &[String]) -> Result<(), Failure> {
    match VENDORS.iter().find(|vendor| !found.contains(&format!("model-{vendor}"))) {
        None => Ok(()),
        Some(vendor) => Err(format!("model-{vendor} is not in {found:?}").into()),
    }
}

/// A bad request, an unknown model and a wrong key: text, model, key and status.
pub fn refused(model: &str) -> [(&'static str, String, String, u16); 3] {
    [
        (ASK_BAD, model.into(), KEY.clone(), 400),
        (ASK_CHAT, "no-such-model".into(), KEY.clone(), 404),
        (ASK_CHAT, model.into(), "sk-wrong".into(), 401),
    ]
}

pub fn schema() -> Value {
    json!({ "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"], "additionalProperties": false })
}
