// Runs every client of Go: prints one JSON line per cell. Arguments: names of clients; none: all.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

type expected struct {
	Text       string            `json:"text"`
	Input      int64             `json:"input"`
	Output     int64             `json:"output"`
	Weather    map[string]string `json:"weather"`
	Forecast   string            `json:"forecast"`
	Pixel      string            `json:"pixel"`
	Picture    string            `json:"picture"`
	Reasoning  string            `json:"reasoning"`
	Thoughts   []string          `json:"thoughts"`
	Dimensions int               `json:"dimensions"`
}

type cell struct {
	Client string `json:"client"`
	Vendor string `json:"vendor"`
	Case   string `json:"case"`
	Result string `json:"result"`
	Reason string `json:"reason"`
}

// A case returns nil if the client found what was expected.
type client struct {
	name  string
	cases func(model string) map[string]func() error
}

const (
	askChat   = "hello"
	askTools  = "What is the weather?"
	askSchema = "Give a structured city."
	askImage  = "Describe this picture."
	askThink  = "Please ponder."
	askAgain  = "Please ponder once more."
	askBad    = "refuse"
	unknown   = "no-such-model"
)

var (
	url     = os.Getenv("TOLLGATE_URL")
	key     = os.Getenv("TOLLGATE_KEY")
	want    = readExpected()
	schema  = map[string]any{"type": "object", "properties": map[string]any{"city": map[string]any{"type": "string"}}, "required": []string{"city"}, "additionalProperties": false}
	vendors = []string{"openai", "chat", "anthropic", "gemini"}
	names   = []string{"models", "chat", "stream", "usage", "tools", "schema", "image", "reasoning", "errors", "embeddings"}
)

func readExpected() (found expected) {
	if err := json.Unmarshal([]byte(os.Getenv("EXPECTED")), &found); err != nil {
		panic(err)
	}
	return found
}

func main() {
	for _, one := range []client{openaiChat, openaiResponses, anthropicMessages, googleGenai, goOpenai, chainOpenai, chainAnthropic} {
		if len(os.Args) > 1 && !slices.Contains(os.Args[1:], one.name) {
			continue
		}
		for _, vendor := range vendors {
			cases := one.cases("model-" + vendor)
			for _, name := range names {
				result, reason := run(cases[name], vendor, name)
				line, _ := json.Marshal(cell{one.name, vendor, name, result, reason})
				fmt.Printf("CELL %s\n", line)
			}
		}
	}
}

func run(check func() error, vendor, name string) (result, reason string) {
	if check == nil {
		return "none", "the client has no such call"
	}
	defer func() {
		if failure := recover(); failure != nil {
			result, reason = "red", fmt.Sprint(failure)
		}
	}()
	err := check()
	if name == "embeddings" && vendor == "anthropic" {
		if err == nil {
			return "red", "a vendor without embeddings answered"
		}
		return "none", "Anthropic has no embeddings: an error answers"
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, vendor, name, err)
		return "red", err.Error()
	}
	return "ok", ""
}

func same[T comparable](found, expected T) error {
	if found != expected {
		return fmt.Errorf("%v instead of %v", found, expected)
	}
	return nil
}

func sameText(found, expected string, err error) error {
	if err != nil {
		return err
	}
	return same(found, expected)
}

func sameUsage(input, output int64) error {
	return same([2]int64{input, output}, [2]int64{want.Input, want.Output})
}

func isCity(text string, err error) error {
	if err != nil {
		return err
	}
	var found struct {
		City string `json:"city"`
	}
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		return err
	}
	return same(found.City, "Bonn")
}

func hasModels(found []string, err error) error {
	if err != nil {
		return err
	}
	for _, vendor := range vendors {
		if !slices.Contains(found, "model-"+vendor) {
			return fmt.Errorf("model-%s is not in %v", vendor, found)
		}
	}
	return nil
}

// The weather that a call of the tool asked for.
func weather(arguments string) string {
	var input struct {
		City string `json:"city"`
	}
	if err := json.Unmarshal([]byte(arguments), &input); err != nil {
		panic(err)
	}
	return want.Weather[input.City]
}

// A bad request, an unknown model and a wrong key, each with its status; statusOf: 0 if the error is not the client's own.
func hasErrors(model string, ask func(text, model, key string) error, statusOf func(error) int) error {
	for _, one := range []struct {
		status           int
		text, model, key string
	}{{400, askBad, model, key}, {404, askChat, unknown, key}, {401, askChat, model, "sk-wrong"}} {
		err := ask(one.text, one.model, one.key)
		if err == nil {
			return fmt.Errorf("no error for status %d", one.status)
		}
		if status := statusOf(err); status != one.status {
			return fmt.Errorf("status %d instead of %d: %w", status, one.status, err)
		}
	}
	return nil
}
