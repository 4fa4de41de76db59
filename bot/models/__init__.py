"""Language models and sentence vectors, behind one small protocol (`model.py`).

`open_models` makes what the settings ask for. All speak the OpenAI protocol; a model server that does not is one more
file here that keeps to `Model`, and its choice in `open_models`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.models.metering import Meter, Metered, Unmetered
from bot.models.model import Model
from bot.models.openai_compatible import Connections, OpenAICompatible
from bot.models.pausing import Pausing, Providers
from bot.models.retrying import Retrying
from bot.models.transcribing import Transcribe, Transcriber
from bot.settings import Endpoint, Settings

BACKGROUND_BUDGET = 4.0  # seconds of retrying in one go; the row of background work stays due after that


@dataclass(frozen=True, slots=True)
class Models:
    """The models of one configuration. None means: do it without a model."""

    main: Model | None  # converses; None = the embedded default
    vision: Model | None  # judges pictures by looking
    extract: Model | None  # extracts memory after a turn
    judge: Model | None  # judges pictures by their text
    connections: Connections = field(default_factory=Connections)
    transcribe: Transcribe | None = None  # speech to text

    async def warm(self) -> None:
        """Load what a first call would wait for, where a model is configured at all."""
        if self.main is not None:
            await self.connections.warm()

    async def aclose(self) -> None:
        """Close the connections."""
        await self.connections.aclose()


def open_models(settings: Settings, providers: Providers | None = None, meter: Meter | None = None) -> Models:
    """What the settings configure. Nothing is imported or dialled before the first call."""
    connections = Connections()
    providers, meter = providers or Providers(), meter or Unmetered()

    def adapter(endpoint: Endpoint) -> Model:
        model = OpenAICompatible(
            endpoint.base_url,
            endpoint.api_key.get_secret_value(),
            endpoint.model,
            sees=endpoint.sees,
            timeout=settings.model_timeout,
            connections=connections,
        )
        return Metered(Pausing(model, endpoint.base_url, providers), meter)

    main, vision, extract, fallback = (
        adapter(endpoint) if endpoint else None
        for endpoint in (settings.main(), settings.vision(), settings.extract(), settings.fallback())
    )

    def patient(model: Model | None, budget: float, other: Model | None = None) -> Model | None:
        return Retrying(model, other, budget=budget) if model else None

    speech = settings.transcriber()
    return Models(
        transcribe=Transcriber(speech, connections, settings.model_timeout, meter) if speech else None,
        main=patient(main, settings.retry_budget, fallback),
        vision=patient(vision, BACKGROUND_BUDGET),
        extract=patient(extract, BACKGROUND_BUDGET, fallback),
        judge=patient(main, BACKGROUND_BUDGET, fallback),
        connections=connections,
    )
