package main

import (
	"encoding/json"
	"errors"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

func connectAnthropic(key string) anthropic.Client {
	return anthropic.NewClient(option.WithAPIKey(key), option.WithBaseURL(url), option.WithMaxRetries(0))
}

var anthropicMessages = client{"go anthropic-sdk-go", func(model string) map[string]func() error {
	client := connectAnthropic(key)
	body := func(messages ...anthropic.MessageParam) anthropic.MessageNewParams {
		return anthropic.MessageNewParams{Model: anthropic.Model(model), MaxTokens: 4000, Messages: messages}
	}
	user := func(text string) anthropic.MessageParam {
		return anthropic.NewUserMessage(anthropic.NewTextBlock(text))
	}
	textOf := func(answer *anthropic.Message, err error) (string, error) {
		if err != nil {
			return "", err
		}
		text := ""
		for _, block := range answer.Content {
			text += block.Text
		}
		return text, nil
	}
	create := func(body anthropic.MessageNewParams) (*anthropic.Message, error) {
		return client.Messages.New(background, body)
	}
	stream := func(text string) (*anthropic.Message, error) {
		events := client.Messages.NewStreaming(background, body(user(text)))
		whole := anthropic.Message{}
		for events.Next() {
			if err := whole.Accumulate(events.Current()); err != nil {
				return nil, err
			}
		}
		return &whole, events.Err()
	}
	return map[string]func() error{
		"models": func() error {
			page, err := client.Models.List(background, anthropic.ModelListParams{})
			if err != nil {
				return err
			}
			var found []string
			for _, one := range page.Data {
				found = append(found, one.ID)
			}
			return hasModels(found, nil)
		},
		"chat": func() error {
			text, err := textOf(create(body(user(askChat))))
			return sameText(text, want.Text, err)
		},
		"stream": func() error {
			text, err := textOf(stream(askChat))
			return sameText(text, want.Text, err)
		},
		"usage": func() error {
			whole, err := create(body(user(askChat)))
			if err != nil {
				return err
			}
			streamed, err := stream(askChat)
			if err != nil {
				return err
			}
			return errors.Join(sameUsage(whole.Usage.InputTokens, whole.Usage.OutputTokens), sameUsage(streamed.Usage.InputTokens, streamed.Usage.OutputTokens))
		},
		"tools": func() error {
			form := anthropic.ToolInputSchemaParam{Properties: schema["properties"], Required: []string{"city"}}
			tools := []anthropic.ToolUnionParam{anthropic.ToolUnionParamOfTool(form, "weather")}
			asked := body(user(askTools))
			asked.Tools = tools
			first, err := create(asked)
			if err != nil {
				return err
			}
			var results []anthropic.ContentBlockParamUnion
			for _, block := range first.Content {
				if block.Type == "tool_use" {
					input, _ := json.Marshal(block.Input)
					results = append(results, anthropic.NewToolResultBlock(block.ID, weather(string(input)), false))
				}
			}
			again := body(user(askTools), first.ToParam(), anthropic.NewUserMessage(results...))
			again.Tools = tools
			text, err := textOf(create(again))
			return sameText(text, want.Forecast, err)
		},
		"schema": func() error {
			asked := body(user(askSchema))
			asked.OutputConfig = anthropic.OutputConfigParam{Format: anthropic.JSONOutputFormatParam{Schema: schema}}
			return isCity(textOf(create(asked)))
		},
		"image": func() error {
			text, err := textOf(create(body(anthropic.NewUserMessage(anthropic.NewImageBlockBase64("image/png", want.Pixel), anthropic.NewTextBlock(askImage)))))
			return sameText(text, want.Picture, err)
		},
		"reasoning": func() error {
			asked := body(user(askThink))
			asked.Thinking = anthropic.ThinkingConfigParamOfEnabled(1024)
			first, err := create(asked)
			if err != nil {
				return err
			}
			thought := ""
			for _, block := range first.Content {
				thought += block.Thinking
			}
			again := body(user(askThink), first.ToParam(), user(askAgain))
			again.Thinking = asked.Thinking
			text, err := textOf(create(again))
			return errors.Join(same(thought, want.Reasoning), sameText(text, want.Thoughts[1], err))
		},
		"errors": func() error {
			ask := func(text, model, key string) error {
				asked := body(user(text))
				asked.Model = anthropic.Model(model)
				other := connectAnthropic(key)
				_, err := other.Messages.New(background, asked)
				return err
			}
			statusOf := func(err error) int {
				var own *anthropic.Error
				if errors.As(err, &own) {
					return own.StatusCode
				}
				return 0
			}
			return hasErrors(model, ask, statusOf)
		},
	}
}}
