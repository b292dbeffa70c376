// Written by `make types` from the Python types. Change those.

/** What a socket brings: one thing at a time. Whoever stands above this may add kinds of their own. */
export interface Frame {
  /** How far the game has got when the socket opens. */
  greeting?: Mark;
  page?: Page;
  /** That there is a newer page. */
  mark?: Mark;
  presence?: SeatPresence;
}

/** How far a game has got: by its moves, and by what was done to it beside them. */
export interface Mark {
  /** The number of the last move. */
  version: number;
  /** Grows with what is done to the game beside its moves. */
  revision: number;
}

/** All that one viewer is shown. */
export interface Page {
  viewer: number | null;
  /** The rules that the table has agreed on. */
  rules: Record<string, string | number | boolean>;
  /** What each thing costs. */
  costs: Record<string, Record<string, number>>;
  /** What the game waits for. */
  phase: "placing_settlement" | "placing_road" | "rolling" | "discarding" | "moving_robber" | "stealing" | "main" | "placing_free_roads" | "over";
  /** How many turns have begun. */
  turn: number;
  /** How many rounds of turns have begun. */
  round: number;
  /** The seats in the order of play. */
  order: number[];
  /** The seat whose turn it is. */
  active: number;
  to_act: number[];
  /** The seat that has won. */
  winner: number | null;
  /** What was rolled this turn; null before that. */
  dice: number[] | null;
  /** The island. */
  board: BoardView;
  /** The hex on which the robber stands. */
  robber: number;
  /** What the bank has. */
  bank: Record<string, number>;
  deck: number;
  /** The seat that holds Longest Road. */
  longest_road: number | null;
  /** The seat that holds Largest Army. */
  largest_army: number | null;
  /** How many roads a Road Building card still gives. */
  free_roads: number;
  /** Development cards that were played this turn, victory points aside. */
  cards_played: number;
  /** What the viewer may do now. */
  choices: Choices;
  /** The number of the last move. */
  version: number;
  /** Grows with what is done to the game beside its moves. */
  revision: number;
  /** The game’s number. */
  game: number;
  /** How the game stands. */
  status: string;
  /** The moment at which the page was made. */
  now: string;
  /** The seats, by their number. */
  seats: Player[];
  /** The offers on the table. */
  offers: OfferCard[];
  /** Why what is not among the choices cannot be done now, by the kind of move, and for trading as a whole. */
  reasons: Record<string, string>;
  /** The one thing to do next, if there is only one. */
  next: string | null;
  /** What the one button stands for that leads through a turn, whether or not it can be done now. */
  turn_button: string;
  /** The places that can be pressed now. */
  places: PlaceChoice[];
  /** What stands on the board, by its place. */
  standing: Record<string, string>;
  /** Where the viewer may trade with the bank, what stands in the way of which trade. */
  bank_notes: BankNotes | null;
  /** Whom the viewer may steal from. */
  victims: Victim[];
  /** What the viewer has to do, or whom the game waits for, as a sentence. */
  prompt: string;
  /** The dice as words. */
  dice_words: string;
  /** What the game wants of the viewer; empty if nothing. */
  asked: "" | "move" | "discard" | "offer";
  /** The window’s title says first what is asked. */
  asks: string;
  /** What is said when the viewer’s own time is nearly over. */
  last_call: string;
  /** Whether a stand-in plays the viewer’s seat. */
  is_replaced: boolean;
  /** What happens when the viewer does not move in time; null for whoever watches. */
  if_absent: string | null;
  /** The name of the pace, if there are clocks. */
  pace: string | null;
  /** What is proposed about the game. */
  proposals: ProposalCard[];
  /** Whom the viewer may propose to remove. */
  removable: number[];
  /** What leads to the viewer’s own standing orders. Nobody’s page says anything of another’s. */
  orders: string;
  /** What happened after this mark. */
  after: Mark;
  /** What happened, in its order. */
  log: LogEntry[];
}

export interface BoardView {
  /** By their number. */
  hexes: HexView[];
  /** All nine. */
  harbors: HarborView[];
}

export interface HexView {
  terrain: string;
  /** What it produces; the desert nothing. */
  resource: string | null;
  /** The number that makes it produce; the desert has none. */
  token: number | null;
}

export interface HarborView {
  /** The path between its two corners. */
  edge: number;
  kind: string;
}

/**
 * The legal moves by kind, each without what the kind and the seat already say.
 *
 * The ways to discard are too many to list: there the count stands instead of them. So it is with
 * offers, of which a player is only told that they may be made.
 */
export interface Choices {
  build_settlement?: VertexChoice[];
  build_road?: EdgeChoice[];
  build_city?: VertexChoice[];
  roll?: Nothing[];
  skip_roll?: Nothing[];
  discard?: DiscardChoice;
  move_robber?: HexChoice[];
  steal?: VictimChoice[];
  buy_card?: Nothing[];
  play_knight?: Nothing[];
  play_road_building?: Nothing[];
  stop_placing_roads?: Nothing[];
  play_year_of_plenty?: ResourcesChoice[];
  play_monopoly?: ResourceChoice[];
  play_victory_point?: Nothing[];
  trade_with_bank?: BankChoice[];
  offer_trade?: Nothing[];
  accept_offer?: OfferChoice[];
  reject_offer?: OfferChoice[];
  counter_offer?: OfferChoice[];
  confirm_trade?: ConfirmChoice[];
  withdraw_offer?: OfferChoice[];
  end_turn?: Nothing[];
}

export interface VertexChoice {
  vertex: number;
}

export interface EdgeChoice {
  edge: number;
}

/** There is nothing to choose but the move itself. */
export type Nothing = Record<string, never>;

export interface DiscardChoice {
  /** How many cards. */
  count: number;
}

export interface HexChoice {
  hex: number;
}

export interface VictimChoice {
  victim: number;
}

export interface ResourcesChoice {
  resources: Record<string, number>;
}

export interface ResourceChoice {
  resource: string;
}

export interface BankChoice {
  /** What is paid with. */
  give: string;
  /** How many cards are paid. */
  paid: number;
  /** What one card is got of. */
  take: string;
}

export interface OfferChoice {
  offer: number;
}

export interface ConfirmChoice {
  offer: number;
  partner: number;
}

/** A seat, and who plays it. */
export interface Player {
  seat: number;
  /** As far as the viewer may know: of others, without cards that are hidden. */
  points: number;
  /** The corners on which they stand. */
  settlements: number[];
  /** The corners on which they stand. */
  cities: number[];
  /** The paths on which they lie. */
  roads: number[];
  /** Pieces that are not on the board. */
  settlements_left: number;
  /** Pieces that are not on the board. */
  cities_left: number;
  /** Pieces that are not on the board. */
  roads_left: number;
  /** The longest road that is not interrupted. */
  road_length: number;
  /** Those that count for Largest Army; null where they lie hidden. */
  knights: number | null;
  /** Development cards that lie open. */
  played: string[];
  /** How many resource cards. */
  hand_size: number;
  /** How many development cards that are not played. */
  card_count: number;
  /** How many cards the seat has to discard now. */
  must_discard: number;
  /** The resource cards. Only in a hand that the viewer may see, as are the next two. */
  hand?: Record<string, number>;
  /** The development cards that are not played. */
  cards?: HeldCard[];
  /** How many cards of each resource the bank wants for one of another. */
  rates?: Record<string, number>;
  /** What somebody is called in this game. */
  name: string;
  colour: string;
  emblem: string;
  /** Who plays the seat now. */
  player: string;
  /** Of the bot that plays it for good; of a person and a stand-in there is none. */
  strength: "easy" | "medium" | "hard" | "";
  /** A program plays the account of the seat’s person. */
  is_bot_account: boolean;
  /** None where nobody is hurried, and for bots. */
  clock: ClockView | null;
  /** Whether somebody is there. */
  presence: PresenceView;
}

export interface HeldCard {
  card: string;
  /** Bought on this very turn. */
  new: boolean;
}

/** A clock that runs out at a moment or, while it stands still, has some seconds left. */
export interface ClockView {
  /** When it runs out, if it runs. */
  ends: string | null;
  /** The seconds that are left while it stands still. */
  left: number | null;
  /** The seconds it had in the beginning. */
  of: number;
  /** When it begins to be short of time. */
  short_at: string | null;
}

/** The state of a seat, and what becomes of it by itself. */
export interface PresenceView {
  /** In one word, for programs. */
  state: string;
  /** The same for people. */
  words: string;
  /** The same where there is little room, if that is not enough of it. */
  short: string;
  /** What it becomes by itself. */
  then: SeatState | null;
  /** When it does. */
  then_at: string | null;
}

/** Who plays a seat, or why nobody does; nothing about others who are there. */
export interface SeatState {
  /** In one word, for programs. */
  state: string;
  /** The same for people. */
  words: string;
  /** The same where there is little room, if that is not enough of it. */
  short: string;
}

/** An offer on the table. */
export interface OfferCard {
  /** By which moves speak of it. */
  number: number;
  /** The seat that made it. */
  maker: number;
  /** The seats that it goes to. */
  to: number[];
  /** What its maker gives. */
  gives: Record<string, number>;
  /** What its maker gets. */
  gets: Record<string, number>;
  /** Seats that said yes. */
  accepted: number[];
  /** Seats that said no. */
  rejected: number[];
  /** The offer that this one answers, if it is a counter-offer. */
  answers: number | null;
  /** The maker’s name. */
  title: string;
  /** The offer as a sentence. */
  words: string;
  /** The offer from the viewer’s side. */
  terms: Terms;
  /** What each of those asked has answered. */
  said: Answer[];
  /** What the viewer may answer. */
  buttons: OfferButton[];
  /** What the viewer lacks of the cards that it asks of them. */
  missing: string;
  /** When the time to answer it is over, for those who are not on holiday. */
  ends: string | null;
}

/** An offer from the side of whoever looks at it. */
export interface Terms {
  /** The words before what is given and before what is got. */
  gives: string;
  gets: string;
  given: Record<string, number>;
  got: Record<string, number>;
}

/** What somebody has said to an offer. */
export interface Answer {
  seat: number;
  answer: "accepted" | "rejected" | "none";
  /** The same as a sentence. */
  words: string;
}

/** What the viewer may do about an offer. */
export interface OfferButton {
  kind: string;
  words: string;
  /** The move it stands for, but for a counter-offer, which is made up first. */
  move: Record<string, unknown>;
}

/** A place, and the move that pressing it stands for. */
export interface PlaceChoice {
  id: string;
  /** As the plain forms number the places of a kind of move. */
  number: number;
  kind: string;
  move: Record<string, unknown>;
}

/** What stands in the way of a trade with the bank, by the resource that is given, and that is taken. */
export interface BankNotes {
  give: Record<string, string>;
  take: Record<string, string>;
}

export interface Victim {
  seat: number;
  words: string;
}

/** What somebody proposes about the game, and who has said what to it. */
export interface ProposalCard {
  /** By which it is answered. */
  number: number;
  /** The seat that proposes it. */
  by: number;
  /** The proposal as a sentence. */
  words: string;
  /** When it is carried out, where somebody who is away may still object. */
  objections: string;
  /** How long it can be answered. */
  clock: ClockView | null;
  /** What each of those asked has answered. */
  said: Answer[];
  /** What the viewer may answer. */
  buttons: ProposalButton[];
}

/** What the viewer may say to a proposal. */
export interface ProposalButton {
  answer: "agree" | "decline";
  words: string;
}

/** A sentence about what happened, and the places on the board that it is about. */
export interface LogEntry {
  /** Of the move it belongs to. */
  version: number;
  /** The seat that did it, if it was one. */
  seat: number | null;
  /** What happened, as a sentence. */
  text: string;
  /** What a roll brought, player by player. */
  gains: Gain[];
  /** The name of the place, for those who ask. */
  where: string;
  /** As `standing` names them. */
  places: string[];
  /** What happened, for programs. */
  event: Seen;
}

/** What a roll, or a card, brought somebody. */
export interface Gain {
  seat: number;
  /** The same as a sentence. */
  words: string;
  resources: Record<string, number>;
}

export interface Seen {
  kind: string;
  seat: number;
  turn?: number;
  dice?: number[];
  resources?: Record<string, number>;
  lacking?: string[];
  hex?: number;
  vertex?: number;
  edge?: number;
  from?: number;
  victim?: number;
  partner?: number;
  count?: number;
  resource?: string;
  card?: string;
  offer?: number;
  answers?: number | null;
  to?: number[];
  gives?: Record<string, number>;
  gets?: Record<string, number>;
  points?: number;
  rolls?: Record<number, number>;
  again?: number[];
  order?: number[];
  proposal?: string;
  pace?: string;
  whom?: number;
  absent?: number[];
  unopposed?: boolean;
  seconds?: number;
}

export interface SeatPresence {
  seat: number;
  presence: PresenceView;
}

/** What scripts say about things that they alone know: what has been pressed, what has been counted. */
export interface Phrases {
  places: PlaceNames;
  taken_place: string;
  press_again: Record<string, string>;
  choose_place: Record<string, string>;
  connection_lost: string;
  cards: string[];
  card_names: Record<string, string>;
  not_known: string;
  time_left: TimeLeft;
  time_is_up: string;
  titles: Titles;
  saved: string;
  trades: TradePhrases;
  /** What each resource is, and each kind of piece on the board. */
  resources: Record<string, string>;
  pieces: Record<string, string>;
  /** The hints of a first game, in a game that has them. */
  hints: Record<"first_settlement" | "second_settlement" | "first_road" | "roll" | "production" | "build" | "bank" | "offer_trade" | "answer_offer" | "robber" | "discard" | "card" | "harbor" | "longest_road" | "largest_army" | "end_turn" | "victory", string>;
}

export interface PlaceNames {
  hexes: string[];
  vertices: string[];
  edges: string[];
}

/** What a running clock shows: of more than a day, of more than an hour, and of less. */
export interface TimeLeft {
  days: string;
  hours: string;
  minutes: string;
}

/** The window's title, when something is asked, and when the time for it is short. */
export interface Titles {
  asked: string;
  short: string;
}

export interface TradePhrases {
  bank: string;
  bank_deal: string;
  becomes: string;
  rate: string;
  one_for_one: string;
  one_card: string;
  choose_both: string;
  choose_whom: string;
  both_sides: string;
  none_held: string;
  all_given: string;
  no_more: string;
  discard_chosen: string;
  plenty_chosen: string;
  all_chosen: string;
  plenty_only_gets: string;
  take_back: string;
  /** The tray's name and its button, by what it is open for. */
  offer_title: string;
  counter_title: string;
  discard_title: string;
  plenty_title: string;
  offer_button: string;
  counter_button: string;
  discard_button: string;
  plenty_button: string;
}
