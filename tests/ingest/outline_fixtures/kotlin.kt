@file:JvmName("Players")

package io.media.player

import kotlinx.coroutines.flow.Flow
import java.util.concurrent.TimeUnit as Unit2

/** How often is tried. */
const val RETRIES = 3
private val cache by lazy { mutableMapOf<String, Track>() }
val String.initial: Char
    get() = first()
var volume: Int = 5
    private set

typealias Listener = (Track) -> Unit

/**
 * A track.
 * @property title what is shown
 */
@Serializable
data class Track(
    val title: String,
    @SerialName("len") val length: Int = 0,
) : Playable, Comparable<Track> {
    val label: String get() = "$title ($length)"

    init {
        require(length >= 0)
    }

    constructor(title: String) : this(title, 0) {
        log(title)
    }

    override fun compareTo(other: Track): Int = length - other.length

    suspend inline fun <reified T : Any> decode(
        crossinline block: (T) -> Unit,
    ): T? {
        fun local(n: Int) = n + 1
        return null
    }

    operator fun plus(other: Track) = Track(title + other.title)

    companion object {
        const val MAX = 10
        fun parse(text: String): Track = Track(text)
    }

    inner class Cursor {
        fun move() {}
    }
}

enum class Mode(val code: Int) {
    /** One after the other. */
    LINEAR(0),
    SHUFFLE(1) {
        override fun next() = 1
    };

    open fun next(): Int = 0
}

sealed interface Event {
    data object Stopped : Event
    data class Failed(val cause: Throwable) : Event
}

fun interface Callback {
    fun call(track: Track)
}

internal object Registry : Map<String, Track> {
    @JvmStatic
    fun find(name: String) = cache[name]
}

/** Plays it. */
fun Track.play(times: Int = 1) {
    repeat(times) { println(title) }
}

infix fun <T> List<T>.then(other: List<T>): List<T> = this + other

private fun String?.orNone() = this ?: "none"

/** Marks a screen. */
@Target(AnnotationTarget.CLASS)
annotation class Screen

@Screen
internal annotation class Hidden // of the module
