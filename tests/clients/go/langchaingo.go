package main

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/tmc/langchaingo/llms"
	chainanthropic "github.com/tmc/langchaingo/llms/anthropic"
	chainopenai "github.com/tmc/langchaingo/llms/openai"
)

type chainConnect func(model, key string, format *chainopenai.ResponseFormat) (llms.Model, error)

func connectChainOpenai(model, key string, format *chainopenai.ResponseFormat) (llms.Model, error) {
	options := []chainopenai.Option{
		chainopenai.WithToken(key), chainopenai.WithModel(model), chainopenai.WithBaseURL(url + "/v1"), chainopenai.WithEmbeddingModel(model),
	}
	if format != nil {
		options = append(options, chainopenai.WithResponseFormat(format))
	}
	return chainopenai.New(options...)
}

func connectChainAnthropic(model, key string, _ *chainopenai.ResponseFormat) (llms.Model, error) {
	return chainanthropic.New(chainanthropic.WithToken(key), chainanthropic.WithModel(model), chainanthropic.WithBaseURL(url+"/v1"))
}

var chainOpenai = client{"go langchaingo (openai)", func(model string) map[string]func() error {
	cases := chainCases(model, connectChainOpenai, func() llms.ContentPart {
		return llms.ImageURLPart("data:image/png;base64," + want.Pixel)
	})
	cases["schema"] = func() error {
		city := &chainopenai.ResponseFormat{Type: "json_schema", JSONSchema: &chainopenai.ResponseFormatJSONSchema{
			Name: "city", Strict: true, Schema: &chainopenai.ResponseFormatJSONSchemaProperty{
				Type: "object", Required: []string{"city"}, Properties: map[string]*chainopenai.ResponseFormatJSONSchemaProperty{"city": {Type: "string"}},
			},
		}}
		found, err := chainAsk(model, key, connectChainOpenai, city, chainUser(askSchema))
		return isCity(chainText(found, err))
	}
	cases["embeddings"] = func() error {
		made, err := connectChainOpenai(model, key, nil)
		if err != nil {
			return err
		}
		vectors, err := made.(*chainopenai.LLM).CreateEmbedding(background, []string{"one", "two"})
		if err != nil {
			return err
		}
		return errors.Join(same(len(vectors), 2), same(len(vectors[0]), want.Dimensions))
	}
	return cases
}}

var chainAnthropic = client{"go langchaingo (anthropic)", func(model string) map[string]func() error {
	return chainCases(model, connectChainAnthropic, func() llms.ContentPart {
		pixel, _ := base64.StdEncoding.DecodeString(want.Pixel)
		return llms.BinaryPart("image/png", pixel)
	})
}}

func chainUser(parts ...any) []llms.MessageContent {
	message := llms.MessageContent{Role: llms.ChatMessageTypeHuman}
	for _, part := range parts {
		switch one := part.(type) {
		case string:
			message.Parts = append(message.Parts, llms.TextPart(one))
		case llms.ContentPart:
			message.Parts = append(message.Parts, one)
		}
	}
	return []llms.MessageContent{message}
}

func chainAsk(model, key string, connect chainConnect, format *chainopenai.ResponseFormat, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	made, err := connect(model, key, format)
	if err != nil {
		return nil, err
	}
	return made.GenerateContent(background, messages, append(options, llms.WithMaxTokens(500))...)
}

func chainText(found *llms.ContentResponse, err error) (string, error) {
	if err != nil {
		return "", err
	}
	// Anthropic's blocks are a choice each.
	var whole strings.Builder
	for _, choice := range found.Choices {
		whole.WriteString(choice.Content)
	}
	return whole.String(), nil
}

func chainCases(model string, connect chainConnect, picture func() llms.ContentPart) map[string]func() error {
	ask := func(messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
		return chainAsk(model, key, connect, nil, messages, options...)
	}
	return map[string]func() error{
		"chat": func() error {
			text, err := chainText(ask(chainUser(askChat)))
			return sameText(text, want.Text, err)
		},
		"stream": func() error {
			var parts strings.Builder
			_, err := ask(chainUser(askChat), llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error {
				parts.Write(chunk)
				return nil
			}))
			return sameText(parts.String(), want.Text, err)
		},
		"usage": func() error {
			found, err := ask(chainUser(askChat))
			if err != nil {
				return err
			}
			info := found.Choices[0].GenerationInfo
			number := func(names ...string) int64 {
				for _, name := range names {
					if value, ok := info[name].(int); ok {
						return int64(value)
					}
				}
				return -1
			}
			return sameUsage(number("PromptTokens", "InputTokens"), number("CompletionTokens", "OutputTokens"))
		},
		"tools": func() error {
			tools := llms.WithTools([]llms.Tool{{Type: "function", Function: &llms.FunctionDefinition{Name: "weather", Description: "The weather", Parameters: schema}}})
			messages := chainUser(askTools)
			asked, err := ask(messages, tools)
			if err != nil {
				return err
			}
			said := llms.MessageContent{Role: llms.ChatMessageTypeAI}
			var results []llms.MessageContent
			for _, choice := range asked.Choices {
				for _, call := range choice.ToolCalls {
					said.Parts = append(said.Parts, call)
					results = append(results, llms.MessageContent{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{llms.ToolCallResponse{
						ToolCallID: call.ID, Name: call.FunctionCall.Name, Content: weather(call.FunctionCall.Arguments),
					}}})
				}
			}
			text, err := chainText(ask(append(append(messages, said), results...), tools))
			return sameText(text, want.Forecast, err)
		},
		"image": func() error {
			text, err := chainText(ask(chainUser(askImage, picture())))
			return sameText(text, want.Picture, err)
		},
		"reasoning": func() error {
			found, err := ask(chainUser(askThink), llms.WithThinkingMode(llms.ThinkingModeLow))
			if err != nil {
				return err
			}
			thought, err := chainText(found, nil)
			said := llms.MessageContent{Role: llms.ChatMessageTypeAI, Parts: []llms.ContentPart{llms.TextPart(thought)}}
			text, err := chainText(ask(append(append(chainUser(askThink), said), chainUser(askAgain)...), llms.WithThinkingMode(llms.ThinkingModeLow)))
			var reasoning string
			for _, choice := range found.Choices {
				thinking, _ := choice.GenerationInfo["ThinkingContent"].(string)
				reasoning += cmp.Or(choice.ReasoningContent, thinking)
			}
			return errors.Join(same(reasoning, want.Reasoning), sameText(text, want.Thoughts[1], err))
		},
		"errors": func() error {
			for _, one := range []struct{ text, model, key, status string }{{askBad, model, key, "400"}, {askChat, unknown, key, "404"}, {askChat, model, "sk-wrong", "401"}} {
				_, err := chainAsk(one.model, one.key, connect, nil, chainUser(one.text))
				if err == nil || !strings.Contains(err.Error(), one.status) {
					return fmt.Errorf("%v tells no %s", err, one.status)
				}
			}
			return nil
		},
	}
}
