import com.google.gson.Gson
import com.google.gson.JsonObject
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import kotlin.system.exitProcess
import org.sarsen.client.models.*

// The types that openapi-generator made for Kotlin play a match, and meet an event, a move, a problem code and properties that
// are in no release. Arguments: the service, a proxy that invents them, and the invented code.

val gson = Gson()
val http: HttpClient = HttpClient.newHttpClient()

class Failure(val problem: Problem) : Exception(problem.detail)

class Service(val base: String, val token: String?) {
    inline fun <reified T> call(method: String, path: String, body: Any? = null): T {
        val request = HttpRequest.newBuilder(URI(base + path))
        if (token != null) request.header("Authorization", "Bearer $token")
        val publisher = if (body == null) HttpRequest.BodyPublishers.noBody() else
            HttpRequest.BodyPublishers.ofString(gson.toJson(body))
        request.header("Content-Type", "application/json").method(method, publisher)
        val answer = http.send(request.build(), BodyHandlers.ofString())
        if (answer.statusCode() >= 400) throw Failure(gson.fromJson(answer.body(), Problem::class.java))
        return gson.fromJson(answer.body(), T::class.java)
    }

    fun code(path: String): String = try {
        call<JsonObject>("GET", path)
        ""
    } catch (failure: Failure) {
        failure.problem.code
    }

    fun create(): MatchView = call("POST", "/v1/matches", CreateThiefOfTheSacredFireMatch(
        game = CreateThiefOfTheSacredFireMatch.Game.THIEF_OF_THE_SACRED_FIRE))
}

fun whole(service: Service): String {
    val view = service.create()
    val state = gson.fromJson(view.state, ThiefOfTheSacredFireView::class.java)
    check(state.game == ThiefOfTheSacredFireView.Game.THIEF_OF_THE_SACRED_FIRE)
    var decision = view.decision
    var turns = 0
    while (decision != null) {
        val moves = decision.legalMoves!!.moves!!
        val body = MakeMove(decisionId = decision.id, move = moves[turns % moves.size])
        decision = service.call<MoveResult>("POST", "/v1/matches/${view.match.id}/moves", body).decision
        turns++
    }
    val record = service.call<MatchExport>("GET", "/v1/matches/${view.match.id}/record")
    check(turns > 3 && record.steps.size > turns && record.outcome.ending.isNotEmpty())
    println("$turns turns, ${record.outcome.ending}")
    return view.match.id
}

/** The views of the other games. */
val views = mapOf(
    "contiguity" to ContiguityView::class.java, "absolution" to AbsolutionView::class.java,
    "sacrifice_roulette" to SacrificeRouletteView::class.java, "henge" to HengeView::class.java)

/** Plays the begin of every other game beside a bot, and reads what is shown and what has happened. */
fun others(service: Service) = views.forEach { (game, type) ->
    val terms = mapOf("game" to game, "seats" to 2, "places" to listOf(mapOf("seat" to 1, "bot" to "easy")))
    var view: MatchView = service.call("POST", "/v1/matches", terms)
    var turns = 0
    while (turns < 12 && view.match.status.value == "playing") {
        val decision = view.decision
        if (decision != null) {
            val moves = decision.legalMoves!!.moves!!
            val body = MakeMove(decisionId = decision.id, move = moves[turns % moves.size])
            service.call<MoveResult>("POST", "/v1/matches/${view.match.id}/moves", body)
            turns++
        } else {
            Thread.sleep(10)
        }
        view = service.call("GET", "/v1/matches/${view.match.id}")
    }
    val state = gson.fromJson(view.state, type)
    check(gson.toJsonTree(state).asJsonObject["game"].asString == game)
    val page = service.call<EventPage>("GET", "/v1/matches/${view.match.id}/events")
    check(turns > 3 && page.items.size > turns)
    page.items.forEach { check(gson.fromJson(it, LoggedEvent::class.java).event["type"].asString.isNotEmpty()) }
}

fun strange(service: Service, id: String, unknown: String) {
    val moves = service.create().decision!!.legalMoves!!.moves!!
    check(moves[0].asJsonObject["type"].asString == "fly")
    val page = service.call<EventPage>("GET", "/v1/matches/$id/events")
    val events = page.items.map { gson.fromJson(it, LoggedEvent::class.java).event }
    check(events.any { it["type"].asString == "comet_began" })
    val made = events.filter { it["type"].asString == "move_made" }.map { gson.fromJson(it, MoveMadeEvent::class.java) }
    check(made.isNotEmpty() && made.all { it.seat == 0L })
    check(service.code("/v1/games/chess") == unknown)
}

fun main(args: Array<String>) {
    val (base, proxy, unknown) = args
    val token = Service(base, null).call<SignedInPlayer>("POST", "/v1/players", CreatePlayer(name = "Rowan")).accessToken
    val service = Service(base, token)
    val id = whole(service)
    others(service)
    check(service.code("/v1/matches/m_" + "0".repeat(32)) == "match_not_found")
    check(service.call<GameList>("GET", "/v1/games").items[0].mode.isNotEmpty())
    strange(Service(proxy, token), id, unknown)
    println("nothing has failed")
    exitProcess(0)
}
