import com.fasterxml.jackson.databind.ObjectMapper;
import org.sarsen.client.ApiClient;
import org.sarsen.client.ApiException;
import org.sarsen.client.api.*;
import org.sarsen.client.model.*;

/**
 * A client that openapi-generator made for Java plays a match, and meets an event, a move, a problem code and properties that
 * are in no release. Arguments: the service, a proxy that invents them, and the invented code.
 */
public class Play {
    static ApiClient client(String base, String token) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(base);
        if (token != null) client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
        return client;
    }

    static void expect(boolean holds, Object what) {
        if (!holds) throw new AssertionError(what);
    }

    interface Call { Object run() throws ApiException; }

    static String code(ApiClient client, Call call) throws Exception {
        try {
            call.run();
        } catch (ApiException told) {
            return client.getObjectMapper().readValue(told.getResponseBody(), Problem.class).getCode();
        }
        throw new AssertionError("no problem");
    }

    static MatchView create(ApiClient client) throws ApiException {
        CreateThiefOfTheSacredFireMatch terms = new CreateThiefOfTheSacredFireMatch()
            .game(CreateThiefOfTheSacredFireMatch.GameEnum.THIEF_OF_THE_SACRED_FIRE);
        return new MatchesApi(client).createMatch(new CreateMatch(terms), null);
    }

    /** Makes a match for one and plays it to its end. */
    static String whole(ApiClient client) throws Exception {
        MatchView view = create(client);
        String id = view.getMatch().getId();
        expect(view.getState().getActualInstance() instanceof ThiefOfTheSacredFireView, view.getState());
        Decision decision = view.getDecision();
        int turns = 0;
        for (; decision != null; turns++) {
            var moves = decision.getLegalMoves().getMoves();
            MakeMove body = new MakeMove().decisionId(decision.getId()).move(moves.get(turns % moves.size()));
            decision = new PlayApi(client).makeMove(id, body, null, null, null, null, null).getDecision();
        }
        MatchExport record = new MatchesApi(client).exportMatch(id, null, null);
        expect(turns > 3 && record.getSteps().size() > turns && record.getOutcome().getEnding() != null, turns);
        System.out.println(turns + " turns, " + record.getOutcome().getEnding());
        return id;
    }

    /** Plays the begin of every other game beside a bot, and reads what is shown and what has happened. */
    static void others(ApiClient client) throws Exception {
        for (String game : new String[] {"Contiguity", "Absolution", "SacrificeRoulette", "Henge"}) {
            String name = game.replaceAll("(?<=[a-z])([A-Z])", "_$1").toLowerCase();
            String terms = "{\"game\": \"" + name + "\", \"seats\": 2, \"places\": [{\"seat\": 1, \"bot\": \"easy\"}]}";
            MatchesApi matches = new MatchesApi(client);
            MatchView view = matches.createMatch(client.getObjectMapper().readValue(terms, CreateMatch.class), null);
            String id = view.getMatch().getId();
            int turns = 0;
            while (turns < 12 && view.getMatch().getStatus() == MatchStatus.PLAYING) {
                Decision decision = view.getDecision();
                if (decision != null) {
                    var moves = decision.getLegalMoves().getMoves();
                    expect(!(moves.get(0).getActualInstance() instanceof OtherMove), moves.get(0));
                    MakeMove body = new MakeMove().decisionId(decision.getId()).move(moves.get(turns % moves.size()));
                    new PlayApi(client).makeMove(id, body, null, null, null, null, null);
                    turns++;
                } else {
                    Thread.sleep(10);
                }
                view = matches.getMatch(id, null, null, null, null, null, null);
            }
            Object state = view.getState().getActualInstance();
            expect(state.getClass().getSimpleName().equals(game + "View"), state);
            var page = new EventsApi(client).listMatchEvents(
                id, null, null, null, null, null, null, null, null, null, null, null, null);
            expect(turns > 3 && page.getItems().size() > turns, game);
            for (EventOrStep item : page.getItems()) {
                Object event = ((LoggedEvent) item.getActualInstance()).getEvent().getActualInstance();
                expect(!(event instanceof OtherMatchEvent), event);
            }
        }
    }

    static void strange(ApiClient client, String id, String unknown) throws Exception {
        var moves = create(client).getDecision().getLegalMoves().getMoves();
        expect(moves.get(0).getActualInstance() instanceof OtherMove fly && fly.getType().equals("fly"), moves.get(0));
        expect(!(moves.get(1).getActualInstance() instanceof OtherMove), moves.get(1));
        var page = new EventsApi(client).listMatchEvents(
                id, null, null, null, null, null, null, null, null, null, null, null, null);
        boolean met = false;
        for (EventOrStep item : page.getItems()) {
            Object event = ((LoggedEvent) item.getActualInstance()).getEvent().getActualInstance();
            met |= event instanceof OtherMatchEvent other && other.getType().equals("comet_began");
        }
        expect(met, "an unknown event");
        expect(unknown.equals(code(client, () -> new GamesApi(client).getGame("chess", null))), "an unknown code");
    }

    public static void main(String[] args) throws Exception {
        String token = new PlayersApi(client(args[0], null)).createPlayer(new CreatePlayer().name("Rowan")).getAccessToken();
        ApiClient client = client(args[0], token);
        String id = whole(client);
        others(client);
        String nobody = "m_00000000000000000000000000000000";
        String code = code(client, () -> new MatchesApi(client).getMatch(nobody, null, null, null, null, null, null));
        expect(code.equals("match_not_found"), code);
        expect(!new GamesApi(client).listGames(null).getItems().get(0).getMode().isEmpty(), "a mode");
        strange(client(args[1], token), id, args[2]);
        System.out.println("nothing has failed");
    }
}
