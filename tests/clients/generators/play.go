// A client that openapi-generator made for Go plays a match, and meets an event, a move, a problem code and properties that
// are in no release. Arguments: the service, a proxy that invents them, and the invented code.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	sarsen "sarsen.test/client"
)

func must[T any](value T, _ any, err error) T {
	if err != nil {
		var told *sarsen.GenericOpenAPIError
		if errors.As(err, &told) {
			panic(fmt.Sprintf("%v: %s", err, told.Body()))
		}
		panic(err)
	}
	return value
}

func expect(holds bool, what string, given ...any) {
	if !holds {
		panic(fmt.Sprint(append([]any{what, ": "}, given...)...))
	}
}

func client(base, token string) *sarsen.APIClient {
	settings := sarsen.NewConfiguration()
	settings.Servers = sarsen.ServerConfigurations{{URL: base}}
	if token != "" {
		settings.AddDefaultHeader("Authorization", "Bearer "+token)
	}
	return sarsen.NewAPIClient(settings)
}

func code(err error) string {
	var told *sarsen.GenericOpenAPIError
	expect(errors.As(err, &told), "a problem", err)
	problem, is := told.Model().(sarsen.Problem)
	expect(is, "a problem", told.Model())
	return problem.Code
}

// Makes a match for one and plays it to its end.
func whole(api *sarsen.APIClient) string {
	ctx := context.Background()
	terms := sarsen.NewCreateThiefOfTheSacredFireMatch("thief_of_the_sacred_fire")
	view := must(api.MatchesAPI.CreateMatch(ctx).CreateMatch(sarsen.CreateThiefOfTheSacredFireMatchAsCreateMatch(terms)).Execute())
	id, decision, turns := view.Match.Id, view.Decision.Get(), 0
	expect(view.State.Get().ThiefOfTheSacredFireView != nil, "the view of the game", view.State.Get())
	for decision != nil {
		moves := decision.GetLegalMoves().Moves
		body := sarsen.NewMakeMove()
		body.SetDecisionId(decision.Id)
		body.SetMove(moves[turns%len(moves)])
		result := must(api.PlayAPI.MakeMove(ctx, id).MakeMove(*body).Execute())
		decision, turns = result.Decision.Get(), turns+1
	}
	record := must(api.MatchesAPI.ExportMatch(ctx, id).Execute())
	expect(len(record.Steps) > turns && record.Outcome.Ending != "", "a record", turns)
	expect(turns > 3, "turns", turns)
	fmt.Println(turns, "turns,", record.Outcome.Ending)
	return id
}

// Plays the begin of every other game beside a bot, and reads what is shown and what has happened.
func others(api *sarsen.APIClient) {
	ctx := context.Background()
	bot := sarsen.NewGivenPlace(1)
	bot.SetBot("easy")
	places, count := []sarsen.GivenPlace{*bot}, int64(2)
	seats := *sarsen.NewNullableInt64(&count)
	for game, terms := range map[string]sarsen.CreateMatch{
		"contiguity":         sarsen.CreateContiguityMatchAsCreateMatch(&sarsen.CreateContiguityMatch{Game: "contiguity", Seats: seats, Places: places}),
		"absolution":         sarsen.CreateAbsolutionMatchAsCreateMatch(&sarsen.CreateAbsolutionMatch{Game: "absolution", Seats: seats, Places: places}),
		"sacrifice_roulette": sarsen.CreateSacrificeRouletteMatchAsCreateMatch(&sarsen.CreateSacrificeRouletteMatch{Game: "sacrifice_roulette", Seats: seats, Places: places}),
		"henge":              sarsen.CreateHengeMatchAsCreateMatch(&sarsen.CreateHengeMatch{Game: "henge", Seats: seats, Places: places}),
	} {
		view, turns := must(api.MatchesAPI.CreateMatch(ctx).CreateMatch(terms).Execute()), 0
		for turns < 12 && view.Match.Status == "playing" {
			if decision := view.Decision.Get(); decision != nil {
				moves := decision.GetLegalMoves().Moves
				expect(moves[0].OtherMove == nil, "a known move", game)
				body := sarsen.NewMakeMove()
				body.SetDecisionId(decision.Id)
				body.SetMove(moves[turns%len(moves)])
				must(api.PlayAPI.MakeMove(ctx, view.Match.Id).MakeMove(*body).Execute())
				turns++
			} else {
				time.Sleep(10 * time.Millisecond)
			}
			view = must(api.MatchesAPI.GetMatch(ctx, view.Match.Id).Execute())
		}
		state := view.State.Get()
		shown := map[string]bool{
			"contiguity": state.ContiguityView != nil, "absolution": state.AbsolutionView != nil,
			"sacrifice_roulette": state.SacrificeRouletteView != nil, "henge": state.HengeView != nil,
		}
		expect(shown[game], "the view of the game", game)
		page := must(api.EventsAPI.ListMatchEvents(ctx, view.Match.Id).Execute())
		expect(turns > 3 && len(page.Items) > turns, "events", game, turns)
		for _, item := range page.Items {
			expect(item.LoggedEvent.Event.OtherMatchEvent == nil, "a known event", game)
		}
	}
}

func strange(api *sarsen.APIClient, id, unknown string) {
	ctx := context.Background()
	view := must(api.MatchesAPI.CreateMatch(ctx).CreateMatch(sarsen.CreateThiefOfTheSacredFireMatchAsCreateMatch(
		sarsen.NewCreateThiefOfTheSacredFireMatch("thief_of_the_sacred_fire"))).Execute())
	moves := view.Decision.Get().GetLegalMoves().Moves
	expect(moves[0].OtherMove != nil && moves[0].OtherMove.Type == "fly", "an unknown move", moves[0])
	expect(moves[1].OtherMove == nil, "a known move", moves[1])
	page := must(api.EventsAPI.ListMatchEvents(ctx, id).Execute())
	met := false
	for _, item := range page.Items {
		event := item.LoggedEvent.Event
		met = met || event.OtherMatchEvent != nil && event.OtherMatchEvent.Type == "comet_began"
		if event.MoveMadeEvent != nil {
			expect(event.OtherMatchEvent == nil, "a known event", event)
		}
	}
	expect(met, "an unknown event")
	_, _, err := api.GamesAPI.GetGame(ctx, "chess").Execute()
	expect(code(err) == unknown, "an unknown code", code(err))
}

func main() {
	base, proxy, unknown := os.Args[1], os.Args[2], os.Args[3]
	guest := must(client(base, "").PlayersAPI.CreatePlayer(context.Background()).CreatePlayer(*sarsen.NewCreatePlayer("Rowan")).Execute())
	api := client(base, guest.AccessToken)
	id := whole(api)
	others(api)
	_, _, err := api.MatchesAPI.GetMatch(context.Background(), "m_00000000000000000000000000000000").Execute()
	expect(code(err) == "match_not_found", "a match that is not there", code(err))
	games := must(api.GamesAPI.ListGames(context.Background()).Execute())
	expect(games.Items[0].Mode != "", "the mode of a game")
	strange(client(proxy, guest.AccessToken), id, unknown)
	fmt.Println("nothing has failed")
}
