// Written by `make types` from the Python types. Change those.

/** The game as one viewer may see it. */
export interface View {
  viewer: number | null;
  rules: Record<string, string | number | boolean>;
  costs: Record<string, Record<string, number>>;
  phase: "placing_settlement" | "placing_road" | "rolling" | "discarding" | "moving_robber" | "stealing" | "main" | "placing_free_roads" | "over";
  turn: number;
  round: number;
  order: number[];
  active: number;
  to_act: number[];
  winner: number | null;
  dice: number[] | null;
  board: BoardView;
  robber: number;
  bank: Record<string, number>;
  deck: number;
  longest_road: number | null;
  largest_army: number | null;
  free_roads: number;
  choices: Choices;
  seats: SeatView[];
  offers: OfferView[];
}

export interface BoardView {
  hexes: HexView[];
  harbors: HarborView[];
}

export interface HexView {
  terrain: string;
  token: number | null;
}

export interface HarborView {
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
  give: string;
  paid: number;
  take: string;
}

export interface OfferChoice {
  offer: number;
}

export interface ConfirmChoice {
  offer: number;
  partner: number;
}

/** A seat as one viewer sees it. */
export interface SeatView {
  seat: number;
  points: number;
  settlements: number[];
  cities: number[];
  roads: number[];
  settlements_left: number;
  cities_left: number;
  roads_left: number;
  road_length: number;
  knights: number | null;
  played: string[];
  hand_size: number;
  card_count: number;
  must_discard: number;
  hand?: Record<string, number>;
  cards?: HeldCard[];
  rates?: Record<string, number>;
}

export interface HeldCard {
  card: string;
  /** Bought on this very turn. */
  new: boolean;
}

export interface OfferView {
  number: number;
  maker: number;
  to: number[];
  gives: Record<string, number>;
  gets: Record<string, number>;
  accepted: number[];
  rejected: number[];
  /** The offer that this one answers, if it is a counter-offer. */
  answers: number | null;
}
