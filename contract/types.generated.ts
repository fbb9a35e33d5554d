// Generated from contract/openapi.yaml by scripts/generateContract.ts. Do not edit.
export interface paths {
	'/Package/Create': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Create shipments
		 * @description Available for every carrier that is activated in the account. All shipments of a request form one batch. Each shipment succeeds or fails on its own. Some providers only have the address with the carrier in the path.
		 */
		post: operations['createShipments'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/{carrier_code}/Create': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description Carrier code */
				carrier_code: components['parameters']['CarrierCode'];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Create shipments of the carrier in the path
		 * @description Creates shipments like /Package/Create, for the carrier in the path. Some providers only have the address without a carrier.
		 */
		post: operations['createShipmentsOfCarrier'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/Package/Find': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * List shipments
		 * @description All filters are optional and can be combined. Other filters are undocumented.
		 */
		post: operations['findShipments'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/{carrier_code}/{id}/Detail': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description Carrier code */
				carrier_code: components['parameters']['CarrierCode'];
				/** @description Id of the main shipment */
				id: components['parameters']['ShipmentId'];
			};
			cookie?: never;
		};
		/**
		 * Get a shipment
		 * @description Some providers only have the path without the Detail segment.
		 */
		get: operations['getShipment'];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/{carrier_code}/{id}': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description Carrier code */
				carrier_code: components['parameters']['CarrierCode'];
				/** @description Id of the main shipment */
				id: components['parameters']['ShipmentId'];
			};
			cookie?: never;
		};
		/** Get a shipment (path without the Detail segment) */
		get: operations['getShipmentShort'];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/{carrier_code}/Tracking': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description Carrier code */
				carrier_code: components['parameters']['CarrierCode'];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Get the tracking events of shipments
		 * @description Events are sorted by date and time, though not by every provider. They can differ from the carrier's public tracking: some carriers return limited, late or incomplete data. One unknown number can make the whole request fail. The reference of the error can name it.
		 */
		post: operations['trackShipments'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/{carrier_code}/Cancel': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description Carrier code */
				carrier_code: components['parameters']['CarrierCode'];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Cancel shipments
		 * @description Each tracking number succeeds or fails on its own. A shipment that was handed over to the carrier or delivered can no longer be canceled.
		 */
		post: operations['cancelShipments'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/{carrier_code}/Order': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description Carrier code */
				carrier_code: components['parameters']['CarrierCode'];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Hand shipments over to the carrier
		 * @description Some carriers know nothing of a shipment before it is handed over (submittedCarrier). An empty list hands over all shipments of the carrier that are not handed over yet.
		 */
		post: operations['handOverShipments'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/Pickup/Find': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** List hand-overs */
		post: operations['findHandOvers'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/{carrier_code}/Branches': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description Carrier code */
				carrier_code: components['parameters']['CarrierCode'];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * List pickup points
		 * @description The filters are optional and can be combined.
		 */
		post: operations['findPickupPoints'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/{carrier_code}/ServiceAddons': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description Carrier code */
				carrier_code: components['parameters']['CarrierCode'];
			};
			cookie?: never;
		};
		/**
		 * List the additional services of a carrier
		 * @description The codes are what services of a creation takes.
		 */
		get: operations['findServiceAddons'];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/Batch/Find': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** List batches */
		post: operations['findBatches'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/Batch/{id}': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description Batch id */
				id: number;
			};
			cookie?: never;
		};
		/** Get a batch with its orders */
		get: operations['getBatch'];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/Carrier/Find': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** List carriers */
		post: operations['findCarriers'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/Carrier/Services': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * List the services of a carrier
		 * @description Includes whether a service accepts sender and cover addresses.
		 */
		post: operations['findServices'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/Account/Info': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** Get the account */
		get: operations['getAccount'];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/Label/Print/': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Create label files
		 * @description Accepts shipments of different carriers and groups the result by carrier. zpl requires carriers that support it. Some providers return an empty result and give the reason in errors. The path also works without the slash at its end.
		 */
		post: operations['printLabels'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/Printer/Find': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** List printers */
		post: operations['findPrinters'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/Printer/PrintLabel': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Send a print job to a named printer
		 * @description Sends the job through the print service. Returns an error message if the printer cannot be reached.
		 */
		post: operations['sendToPrinter'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
}
export type webhooks = Record<string, never>;
export interface components {
	schemas: {
		/** @description The fields that were observed. A provider sends some of them. */
		FailureEnvelope: {
			/** @description What went wrong */
			message?: string;
			/** @description What went wrong (problem details of ASP.NET) */
			title?: string;
			/** @description HTTP status code */
			status?: number;
			/** @description A list, or texts by field */
			errors?:
				| (string | components['schemas']['ServiceError'])[]
				| {
						[key: string]: string[];
				  };
			correlationId?: components['schemas']['CorrelationId'];
		};
		ServiceError: {
			/** @description Code of the error */
			errorCode?: number | string;
			/** @description What went wrong */
			message?: string;
			/** @description What it is about: a tracking number, or the path of a field */
			reference?: string | null;
		};
		/** @description Errors. Some providers send an empty list on success */
		Errors: components['schemas']['ServiceError'][];
		/** @description Creation input, one object per shipment. The complete list of parameters of each carrier is undocumented. The complete recipient address is required. Carriers and services can require additional fields, and creation fails if one is missing. The flags senderAddressEnabled and coverAddressEnabled of a service show whether it accepts sender and cover addresses. */
		ShipmentCreation: {
			/** @description Code of the carrier service, from the carrier's service list */
			serviceType: string;
			/** @description Caller's own reference for the shipment */
			packageNumberCustom: string;
			/** @description Value of the shipment (most carriers require it) */
			price: number;
			/** @description Number of pieces, if more than 1. Some carriers accept only 1 piece */
			pieceCount?: number;
			/** @description The same as pieceCount. Services document both names, and not which carrier reads which */
			piecesCount?: number;
			/** @description Code of the pickup point in the carrier's system. Only required for services that deliver to a pickup point */
			branchId?: string;
			/** @description Whether the shipment is cash on delivery */
			cod?: boolean;
			/** @description Cash-on-delivery amount. Required if the service is cash on delivery */
			codPrice?: number;
			/** @description Currency of the cash-on-delivery amount. Required if the service is cash on delivery */
			codCurrency?: string;
			/** @description Variable symbol for cash on delivery */
			vs?: string;
			/** @description Additional services for the shipment, usually a list of codes. The structure is undocumented. */
			services?: unknown;
			/** @description Weight in kilograms. Required by most carriers */
			weight?: number;
			/** @description Note for the carrier */
			note?: string;
			/** @description Reference, which some carriers print on the label */
			reference?: string;
			/** @description Width in centimeters, with some carriers in meters */
			width?: number;
			/** @description Height in centimeters, with some carriers in meters */
			height?: number;
			/** @description Length in centimeters, with some carriers in meters */
			length?: number;
			/** @description Insured amount */
			insurancePrice?: number;
			/** @description Currency of the insured amount */
			insuranceCurrency?: string;
			/** @description Whether the carrier sends an SMS */
			smsNotification?: boolean;
			/** @description Whether the carrier checks the age of the recipient, or the age */
			ageCheck?: boolean | string;
			/**
			 * Format: date
			 * @description Day on which the carrier picks the shipment up, yyyy-mm-dd
			 */
			pickupDate?: string;
			/** @description Position of the piece in a shipment of several pieces, for carriers without pieceCount */
			packageNumberOrder?: number;
			/** @description Id of an order in the provider's account to attach to the shipment */
			orderId?: number;
			/** @description Recipient name */
			recName?: string;
			/** @description Recipient company */
			recCompany?: string;
			/** @description Recipient street */
			recStreet?: string;
			/** @description Recipient city */
			recCity?: string;
			/** @description Recipient postal code */
			recZip?: string;
			/** @description Recipient ISO two-letter country code */
			recCountry?: string;
			/** @description Recipient phone: plus sign, country prefix, digits, no spaces */
			recPhone?: string;
			/** @description Recipient email address */
			recEmail?: string;
			/** @description Sender name. The sender address is optional. It is used if the pickup location is not the regular collection point, for example for return shipments */
			senderName?: string;
			/** @description Sender company */
			senderCompany?: string;
			/** @description Sender street */
			senderStreet?: string;
			/** @description Sender city */
			senderCity?: string;
			/** @description Sender postal code */
			senderZip?: string;
			/** @description Sender ISO two-letter country code */
			senderCountry?: string;
			/** @description Sender phone: plus sign, country prefix, digits, no spaces */
			senderPhone?: string;
			/** @description Sender email address */
			senderEmail?: string;
			/** @description Cover name. The cover address is optional and replaces the sender on the label. Not every carrier supports it */
			coverName?: string;
			/** @description Cover company */
			coverCompany?: string;
			/** @description Cover street */
			coverStreet?: string;
			/** @description Cover city */
			coverCity?: string;
			/** @description Cover postal code */
			coverZip?: string;
			/** @description Cover ISO two-letter country code */
			coverCountry?: string;
			/** @description Cover phone: plus sign, country prefix, digits, no spaces */
			coverPhone?: string;
			/** @description Cover email address */
			coverEmail?: string;
			/** @description Whether to use the sender address. Some providers ignore the address without it */
			senderEnabled?: boolean;
			/** @description Whether to use the cover address. Some providers ignore the address without it */
			coverEnabled?: boolean;
		};
		/** @description One created piece or one refused shipment. The values of id, packageNumberCarrier, labelUrl and trackingUrl of a refused shipment are undocumented. */
		CreatedShipment: {
			/** @description Shipment id at the provider */
			id: number;
			/** @description Shipment number assigned by the carrier. Null until assigned */
			packageNumberCarrier: string | null;
			/** @description Caller's reference, as sent */
			packageNumberCustom: string;
			/** @description Position of the piece in the shipment. Services count from 0 or from 1 */
			pieceIndex: number;
			/** @description Attached order id */
			orderId: number | null;
			/** @description Attached order number */
			orderNumber: string | number | null;
			/**
			 * Format: uri-reference
			 * @description Download URL of the label of this shipment
			 */
			labelUrl: string | null;
			/**
			 * Format: uri-reference
			 * @description URL of the tracking page on the carrier's site
			 */
			trackingUrl: string | null;
			/** @description 200 on success, 400 on error */
			statusCode: number;
			/** @description Status message of the creation */
			message: string;
			/** @description Errors of the carrier if creation failed, for example because of an invalid address or phone, or missing data. A text or a list, which can be empty */
			carrierErrors: (string | null) | components['schemas']['Errors'];
		};
		/**
		 * @example {
		 *       "result": [
		 *         {
		 *           "id": 1001,
		 *           "packageNumberCarrier": "0012345678901234567890",
		 *           "packageNumberCustom": "ORDER-1042",
		 *           "pieceIndex": 0,
		 *           "orderId": null,
		 *           "orderNumber": null,
		 *           "labelUrl": "https://service.invalid/api/labels/1001",
		 *           "trackingUrl": "https://carrier.invalid/track/0012345678901234567890",
		 *           "statusCode": 200,
		 *           "message": "Created",
		 *           "carrierErrors": null
		 *         },
		 *         {
		 *           "id": 0,
		 *           "packageNumberCarrier": "",
		 *           "packageNumberCustom": "ORDER-1043",
		 *           "pieceIndex": 0,
		 *           "orderId": null,
		 *           "orderNumber": null,
		 *           "labelUrl": "",
		 *           "trackingUrl": "",
		 *           "statusCode": 400,
		 *           "message": "The carrier refused the shipment",
		 *           "carrierErrors": "The recipient's phone is missing"
		 *         }
		 *       ],
		 *       "labelsUrl": "https://service.invalid/api/labels/batch/77",
		 *       "labelsHash": "9f2c4be07d31",
		 *       "ordersUrl": null,
		 *       "ordersHash": null,
		 *       "packagesCount": 1,
		 *       "batchId": 77,
		 *       "correlationId": "0b9f2b1e-6f0c-4c52-9d7e-1a2b3c4d5e6f"
		 *     }
		 */
		CreationEnvelope: {
			/** @description One row per created piece */
			result: components['schemas']['CreatedShipment'][];
			/**
			 * Format: uri
			 * @description Download URL of all labels
			 */
			labelsUrl: string | null;
			/** @description Hash for direct printing of the labels. Valid for 14 days */
			labelsHash: string | null;
			/**
			 * Format: uri
			 * @description Download URL of a PDF with the details of all orders
			 */
			ordersUrl: string | null;
			/** @description Hash for direct printing of the orders. Valid for 14 days */
			ordersHash: string | null;
			/** @description Number of shipments created */
			packagesCount: number;
			/** @description Id of the batch of the shipments */
			batchId: number;
			correlationId: components['schemas']['CorrelationId'];
		};
		Batch: {
			/** @description Batch id */
			id: number;
			/** @description Carrier code */
			carrierCode: string;
			/** @description Number of orders */
			ordersCount: number;
			/** @description Number of shipments */
			packagesCount: number;
			/** @description Number of errors */
			errorsCount: number;
			/** @description Label print hash */
			labelsHash: string | null;
			/** @description Orders print hash */
			ordersHash: string | null;
			/**
			 * Format: uri
			 * @description Download URL of the labels
			 */
			labelsUrl: string | null;
			/**
			 * Format: uri
			 * @description Download URL of the orders
			 */
			ordersUrl: string | null;
			created: components['schemas']['LocalTimestamp'];
			/** @description Origin of the batch. Observed: Api */
			source: string;
			/** @description Note */
			note: string | null;
			/** @description Whether the batch is archived */
			isArchived: boolean;
			/** @description Time of archiving */
			archived: string | null;
			/** @description Only in the batch detail. Null in the list */
			orders: components['schemas']['BatchOrder'][] | null;
		};
		/** @description Element of orders in a batch detail */
		BatchOrder: {
			/** @description Order id */
			orderId: number;
			/** @description Shipment id */
			id: number;
			/** @description Carrier code */
			carrierCode: string;
			/** @description Order number */
			orderNumber: string | number | null;
			/** @description Recipient name of the order */
			orderDeliveryName: string;
			/** @description Recipient company of the order */
			orderDeliveryCompany: string;
			/** @description Shipment number assigned by the carrier. Null until assigned */
			packageNumberCarrier: string | null;
			/** @description Whether the shipment was created */
			success: boolean;
			/** @description Status message of the creation */
			message: string;
		};
		/**
		 * @example {
		 *       "id": 1,
		 *       "name": "Ant Express",
		 *       "code": "ANT",
		 *       "description": "Home delivery and pickup points",
		 *       "activated": "2025-02-03T08:15:00.000",
		 *       "status": "Active"
		 *     }
		 */
		Carrier: {
			/** @description Carrier id */
			id: number;
			/** @description Display name */
			name: string;
			/** @description Carrier code for paths and filters */
			code: string;
			/** @description Description */
			description: string;
			/** @description Time of activation (ISO 8601). Null if never activated */
			activated: string | null;
			/** @description Observed: Active, Inactive, WaitingActivation */
			status: string;
		};
		CarrierService: {
			/** @description Service code. Used as serviceType when creating shipments */
			code: string;
			/** @description Display name */
			name: string;
			/** @description Whether a cover address is accepted */
			coverAddressEnabled: boolean;
			/** @description Whether a sender address is accepted */
			senderAddressEnabled: boolean;
		};
		ServiceAddon: {
			/** @description Code of the additional service */
			code: string;
			/** @description Short name */
			shortName?: string | null;
			/** @description What the additional service does */
			description?: string | null;
		};
		Account: {
			/** @description Time zone of the dates that carry no offset, as Windows names it. "Central Europe Standard Time" observed */
			timeZone?: string | null;
		};
		/** @description Label file of one carrier */
		LabelGroup: {
			/** @description Carrier code */
			carrierCode: string;
			/** @description Carrier name */
			carrierName: string;
			/**
			 * Format: uri
			 * @description Download URL of the label file
			 */
			labelsUrl: string;
			/** @description Number of labels */
			labelsCount: number;
			/** @description Unique code of the print job. Valid for direct printing for 14 days */
			hash: string;
		};
		TrackingResult: {
			/** @description Tracking number */
			packageNumberCarrier: string;
			/** @description 200 observed for success */
			statusCode: number;
			/** @description Status message */
			message: string;
			/** @description Tracking events, sorted by date and time. Null if there are none */
			events: components['schemas']['TrackingEvent'][] | null;
		};
		/**
		 * @example {
		 *       "date": "2026-01-14T09:31:07",
		 *       "category": "TransitCarrier",
		 *       "code": "310",
		 *       "name": "The carrier received the shipment",
		 *       "nameSystem": "Accepted at depot",
		 *       "type": "Event",
		 *       "item": "0012345678901234567890",
		 *       "delivered": false,
		 *       "canceled": false,
		 *       "carrierCode": "A-02"
		 *     }
		 */
		TrackingEvent: {
			date: components['schemas']['LocalTimestamp'];
			/** @description Observed: Created, Ordered, TransitCarrier, TransitOnTheWay */
			category: string;
			/** @description Event code */
			code: string;
			/** @description Text for the customer */
			name: string;
			/** @description System text of the event */
			nameSystem: string;
			/** @description Observed: Event, Notification, or a number */
			type: string | number;
			/** @description Tracking number. Null for the event of the creation at the provider */
			item: string | null;
			/** @description Whether the event marks delivery */
			delivered: boolean;
			/** @description Whether the event marks cancellation */
			canceled: boolean;
			/** @description Carrier's own event code */
			carrierCode: string | null;
		};
		/** @description Fields can differ by carrier and by additional services of the shipment. */
		ShipmentDetail: {
			/** @description Shipment id at the provider */
			id: number;
			/** @description Shipment number assigned by the carrier. Null until assigned */
			packageNumberCarrier?: string | null;
			/** @description Caller's reference */
			packageNumberCustom?: string;
			/** @description Position of the piece in the shipment */
			packageNumberOrder?: number;
			/** @description Code of the carrier service */
			serviceType?: string;
			/** @description Attached order id */
			orderId?: number | null;
			/** @description Reference */
			reference?: string | null;
			/** @description Second reference */
			reference2?: string | null;
			/** @description Note */
			note?: string | null;
			/** @description Weight */
			weight?: number;
			/** @description Value of the shipment */
			price?: number;
			/** @description Code of the pickup point */
			branchId?: string | null;
			/** @description Name of the pickup point */
			branchName?: string | null;
			/** @description Cash-on-delivery amount */
			codPrice?: number | null;
			/** @description Currency of the cash-on-delivery amount */
			codCurrency?: string | null;
			/** @description Whether a card payment is accepted */
			creditCard?: boolean;
			/** @description Bank code */
			bankCode?: string | null;
			/** @description Bank name */
			bankName?: string | null;
			/** @description Bank account number */
			bankAccountNumber?: string | null;
			/** @description Bank account name */
			bankAccountName?: string | null;
			/** @description Variable symbol for cash on delivery */
			vs?: string | null;
			/** @description IBAN */
			iban?: string | null;
			/** @description SWIFT */
			swift?: string | null;
			/** @description Whether the shipment is an exchange */
			exchangeOrder?: boolean;
			/** @description Whether an SMS is sent */
			smsNotification?: boolean;
			/** @description Insured amount */
			insurancePrice?: number | null;
			/** @description Currency of the insured amount */
			insuranceCurrency?: string | null;
			/** @description Nullable. The type is undocumented */
			authentication?: unknown;
			/** @description Nullable. The type is undocumented */
			authenticationName?: unknown;
			/** @description Nullable. The type is undocumented */
			authenticationId?: unknown;
			/** @description Recipient name */
			recName?: string | null;
			/** @description Recipient company */
			recCompany?: string | null;
			/** @description Recipient street */
			recStreet?: string | null;
			/** @description Recipient city */
			recCity?: string | null;
			/** @description Recipient postal code */
			recZip?: string | null;
			/** @description Recipient ISO two-letter country code */
			recCountry?: string | null;
			/** @description Recipient phone */
			recPhone?: string | null;
			/** @description Recipient email address */
			recEmail?: string | null;
			/** @description Whether a cover address is used */
			coverEnabled?: boolean;
			/** @description Cover name. Null if unused */
			coverName?: string | null;
			/** @description Cover company. Null if unused */
			coverCompany?: string | null;
			/** @description Cover street. Null if unused */
			coverStreet?: string | null;
			/** @description Cover city. Null if unused */
			coverCity?: string | null;
			/** @description Cover postal code. Null if unused */
			coverZip?: string | null;
			/** @description Cover country. Null if unused */
			coverCountry?: string | null;
			/** @description Cover phone. Null if unused */
			coverPhone?: string | null;
			/** @description Cover email. Null if unused */
			coverEmail?: string | null;
			/** @description Whether a sender address is used */
			senderEnabled?: boolean;
			/** @description Sender name. Null if unused */
			senderName?: string | null;
			/** @description Sender company. Null if unused */
			senderCompany?: string | null;
			/** @description Sender street. Null if unused */
			senderStreet?: string | null;
			/** @description Sender city. Null if unused */
			senderCity?: string | null;
			/** @description Sender postal code. Null if unused */
			senderZip?: string | null;
			/** @description Sender country. Null if unused */
			senderCountry?: string | null;
			/** @description Sender phone. Null if unused */
			senderPhone?: string | null;
			/** @description Sender email. Null if unused */
			senderEmail?: string | null;
			/** @description Whether the shipment is canceled */
			canceled?: boolean;
			/** @description Whether the shipment is delivered */
			delivered?: boolean;
			/** @description Whether the shipment can be canceled */
			canCancel?: boolean;
			/** @description Whether the carrier has the data */
			submittedCarrier?: boolean;
			/** @description Whether the label was printed */
			printed?: boolean;
			/** @description Whether the label can be printed */
			printable?: boolean;
			/** @description Whether the shipment can be edited */
			editable?: boolean;
			/** @description Whether the shipment can be tracked */
			trackable?: boolean;
			/** @description Whether the shipment is in transit */
			inTransit?: boolean;
			/** @description Observed: Home */
			deliveryType?: string;
			/** @description Whether the shipment is a return */
			isReturn?: boolean;
			/** @description Number of days the shipment stays at the pickup point */
			readyForPickupDays?: number | null;
			/**
			 * Format: uri
			 * @description URL of the tracking page on the carrier's site
			 */
			trackingUrl?: string;
			status?: components['schemas']['ShipmentStatus'];
		};
		ShipmentStatus: {
			/** @description Status code */
			code: string;
			/** @description Status name */
			name: string;
			/** @description Observed: Created, Ordered, TransitCarrier, TransitOnTheWay */
			category: string;
		};
		/** @description Record of the shipment list. Other fields are undocumented. */
		ShipmentRecord: {
			/** @description Shipment id at the provider */
			id: number;
			/** @description Carrier code */
			carrierCode: string;
			/** @description Carrier name */
			carrierName?: string;
			/** @description Currency of the cash-on-delivery amount */
			codCurrency?: string | null;
			/** @description Cash-on-delivery amount */
			codPrice?: number | null;
			/** @description Whether the shipment can be canceled */
			canCancel?: boolean;
			/** @description Whether the shipment is canceled */
			canceled?: boolean;
			/** @description Shipment number assigned by the carrier. Null until assigned */
			packageNumberCarrier?: string | null;
			/** @description Caller's reference */
			packageNumberCustom?: string;
			/** @description Position of the piece in the shipment */
			packageNumberOrder?: number;
			/** @description Whether it is the main piece of its shipment */
			isMaster?: boolean;
			/** @description Id of the main shipment of an additional piece */
			masterId?: number | null;
			/** @description Position of the piece in the shipment */
			pieceIndex?: number;
			/** @description Id of the hand-over to the carrier */
			pickupId?: number | null;
			/** @description Number of pieces */
			pieceCount?: number;
			/** @description Code of the carrier service */
			serviceCode?: string;
			/** @description Name of the carrier service */
			serviceName?: string;
			recAddress?: components['schemas']['Address'];
			/** @description Sender address. Null if unused */
			senderAddress?: components['schemas']['Address'] | null;
			/** @description Cover address. Null if unused */
			maskAddress?: components['schemas']['Address'] | null;
			/** @description Value of the shipment */
			price?: number;
			/** @description Variable symbol for cash on delivery */
			vs?: string | null;
			created?: components['schemas']['LocalTimestamp'];
			updated?: components['schemas']['LocalTimestamp'];
			/** @description Whether the shipment is delivered */
			delivered?: boolean;
			/** @description Whether the shipment is on its way */
			sent?: boolean;
			/** @description Whether the label was printed */
			printed?: boolean;
			/** @description Whether the label can be printed */
			printable?: boolean;
			/** @description Whether the carrier has the data */
			submittedCarrier?: boolean;
			/** @description Whether the shipment can be tracked */
			trackable?: boolean;
			status?: components['schemas']['ShipmentStatus'];
			/**
			 * Format: uri
			 * @description URL of the tracking page on the carrier's site
			 */
			trackingUrl?: string;
		};
		/** @description An address of a list record */
		Address: {
			/** @description Name */
			name?: string | null;
			/** @description Company */
			company?: string | null;
			/** @description Street */
			street?: string | null;
			/** @description City */
			city?: string | null;
			/** @description Postal code */
			zip?: string | null;
			/** @description ISO two-letter country code */
			country?: string | null;
			/** @description Phone */
			phone?: string | null;
			/** @description Email address */
			email?: string | null;
		};
		FindBatchesRequest: {
			/** @description Only batches of these carriers */
			carrierCodes?: string[] | null;
			/**
			 * Format: date
			 * @description Created on or after
			 */
			createdFrom?: string | null;
			/**
			 * Format: date
			 * @description Created on or before
			 */
			createdTo?: string | null;
			/** @description Sort order by creation. Observed: desc */
			sortOrder?: string;
			/** @description Only archived batches, or only the others */
			archived?: boolean | null;
			start?: components['schemas']['PageStart'];
			length?: components['schemas']['PageLength'];
		};
		FindShipmentsRequest: {
			start?: components['schemas']['PageStart'];
			length?: components['schemas']['PageLength'];
			/** @description Free text */
			search?: string;
			/** @description Only shipments of these carriers */
			carrierCodes?: string[];
			/** @description Only cash-on-delivery shipments */
			cod?: boolean;
			/** @description Only main shipments. Some providers assume true if it is not sent */
			onlyMaster?: boolean;
			/** @description Only shipments of this order */
			orderId?: number;
			/**
			 * Format: date
			 * @description Created on or after, yyyy-mm-dd
			 */
			createdFrom?: string;
			/**
			 * Format: date
			 * @description Created on or before, yyyy-mm-dd
			 */
			createdTo?: string;
			/** @description Status name. Observed: Printed, NotPrinted, Delivered, NotDelivered, Submitted, NotSubmitted, Deleted, NotPicked */
			status?: string;
			/** @description Only with this reference. Not everywhere */
			packageNumberCustom?: string;
			/** @description Only with this tracking number. Not everywhere */
			packageNumberCarrier?: string;
			/** @description Name of the field to sort by. Not everywhere */
			sortField?: string;
			/** @description asc or desc. Not everywhere */
			sortOrder?: string;
		};
		FindServicesRequest: {
			/** @description Carrier code */
			carrierCode: string;
		};
		PrintLabelsRequest: {
			/** @description Shipment ids */
			packages: number[];
			/** @description True prints one label per A6 page, false prints four labels per A4 page. Defaults to the layout of the carrier */
			onePerPage?: boolean;
			/** @description Number of labels to leave free on the first sheet */
			skip?: number;
		};
		SendToPrinterRequest: {
			/** @description Hash from a creation or label response. Valid for 14 days */
			hash: string;
			/** @description Name of the printer. The system name, if it has another name for display */
			printerName: string;
		};
		TrackRequest: {
			/** @description Tracking numbers */
			packages: string[];
		};
		CancelRequest: {
			/** @description Tracking numbers */
			packages: string[];
		};
		CancellationRow: {
			/** @description Tracking number */
			packageNumberCarrier?: string;
			/** @description Whether the shipment was canceled (spelled so) */
			successfull?: boolean;
			/** @description Why not. Observed: package.cancel.alreadysent */
			message?: string | null;
		};
		HandOverRequest: {
			/**
			 * Format: date
			 * @description Day of the pickup, yyyy-mm-dd
			 */
			date?: string;
			/** @description Shipment ids. An empty list means all shipments that are not handed over yet */
			packages: number[];
		};
		HandOver: {
			/** @description Id of the hand-over at the provider */
			id?: number | null;
			/**
			 * Format: uri
			 * @description Download URL of the protocol (PDF)
			 */
			protocolUrl?: string | null;
			/**
			 * Format: uri
			 * @description Download URL of the labels of all shipments (PDF)
			 */
			labelsUrl?: string | null;
			/** @description Number of shipments that were handed over */
			packagesCount?: number;
		};
		FindHandOversRequest: {
			/** @description Only those of these carriers */
			carrierCode?: string[];
			/**
			 * Format: date
			 * @description First day, yyyy-mm-dd
			 */
			createdFrom?: string;
			/**
			 * Format: date
			 * @description Last day, yyyy-mm-dd
			 */
			createdTo?: string;
			/** @description Order by creation. Observed: desc */
			sortOrder?: string;
			/** @description Offset of the first hand-over */
			start?: components['schemas']['PageStart'];
			/** @description Hand-overs per page */
			length?: components['schemas']['PageLength'];
		};
		PastHandOver: {
			/** @description Id of the hand-over at the provider */
			id: number;
			/** @description Hash for printing the labels */
			hash?: string | null;
			/** @description Day of the pickup */
			date?: string | null;
			/** @description Carrier code */
			carrierCode?: string | null;
			/** @description Whether the protocol was printed */
			printed?: boolean | null;
			/** @description When the shipments were handed over */
			created?: string | null;
			/** @description Number of shipments */
			packagesCount?: number | null;
			/**
			 * Format: uri
			 * @description Download URL of the protocol (PDF)
			 */
			protocolUrl?: string | null;
			/**
			 * Format: uri
			 * @description Download URL of the labels of all shipments (PDF)
			 */
			labelsUrl?: string | null;
		};
		HandOverPage: {
			result: {
				/** @description The hand-overs of this page */
				data: components['schemas']['PastHandOver'][];
				total: components['schemas']['PageTotal'];
			};
			correlationId: components['schemas']['CorrelationId'];
		};
		Printer: {
			/** @description Printer id */
			id?: number;
			/** @description Name of the computer that the printer belongs to */
			computerName?: string | null;
			/** @description System name of the printer. Only this name prints */
			printerName?: string;
			/** @description Display name */
			name?: string | null;
			/** @description Observed: Offline, Online, Unknown, or 0, 1, 2 for them */
			printerStatus?: string | number | null;
		};
		FindPickupPointsRequest: {
			/** @description Kind of pickup point. Observed: Branch, Box */
			branchType?: string;
			/** @description ISO two-letter country code */
			country?: string;
			/** @description One word of the name, city or street */
			name?: string;
			/** @description Code of a service of the carrier */
			serviceType?: string;
			/** @description Offset of the first pickup point */
			start?: components['schemas']['PageStart'];
			/** @description Pickup points per page, 50 unless sent */
			length?: components['schemas']['PageLength'];
		};
		PickupPoint: {
			/** @description Code of the pickup point. Used as branchId */
			code: string;
			/** @description Id in the system of the carrier */
			systemId?: string | null;
			/** @description Kind of pickup point. Observed: Branch, Box */
			branchType?: string | null;
			/** @description Name */
			name?: string | null;
			/** @description Street */
			street?: string | null;
			/** @description City */
			city?: string | null;
			/** @description Postal code */
			zip?: string | null;
			/** @description ISO two-letter country code */
			country?: string | null;
			/** @description Opening hours on Monday */
			openingMonday?: string | null;
			/** @description Opening hours on Tuesday */
			openingTuesday?: string | null;
			/** @description Opening hours on Wednesday */
			openingWednesday?: string | null;
			/** @description Opening hours on Thursday */
			openingThursday?: string | null;
			/** @description Opening hours on Friday */
			openingFriday?: string | null;
			/** @description Opening hours on Saturday */
			openingSaturday?: string | null;
			/** @description Opening hours on Sunday */
			openingSunday?: string | null;
			/** @description Latitude */
			gpsLatitude?: number | null;
			/** @description Longitude */
			gpsLongitude?: number | null;
		};
		BatchPage: {
			result: {
				/** @description The batches of this page */
				data: components['schemas']['Batch'][];
				total: components['schemas']['PageTotal'];
			};
			correlationId: components['schemas']['CorrelationId'];
		};
		ShipmentPage: {
			result: {
				/** @description The shipments of this page */
				data: components['schemas']['ShipmentRecord'][];
				total: components['schemas']['PageTotal'];
			};
			correlationId: components['schemas']['CorrelationId'];
		};
		BatchEnvelope: {
			result: components['schemas']['Batch'];
			correlationId: components['schemas']['CorrelationId'];
		};
		ShipmentDetailEnvelope: {
			/** @description The main shipment and its additional pieces, or a single shipment */
			result: components['schemas']['ShipmentDetail'][] | components['schemas']['ShipmentDetail'];
			correlationId: components['schemas']['CorrelationId'];
		};
		CarrierListEnvelope: {
			result: components['schemas']['Carrier'][];
			correlationId: components['schemas']['CorrelationId'];
		};
		ServiceListEnvelope: {
			result: components['schemas']['CarrierService'][];
			correlationId: components['schemas']['CorrelationId'];
		};
		ServiceAddonsEnvelope: {
			result: components['schemas']['ServiceAddon'][];
			correlationId: components['schemas']['CorrelationId'];
		};
		AccountEnvelope: {
			result: components['schemas']['Account'];
			correlationId: components['schemas']['CorrelationId'];
		};
		LabelEnvelope: {
			result: components['schemas']['LabelGroup'][];
			correlationId: components['schemas']['CorrelationId'];
		};
		TrackingEnvelope: {
			result: components['schemas']['TrackingResult'][];
			correlationId: components['schemas']['CorrelationId'];
		};
		CancellationEnvelope: {
			result: components['schemas']['CancellationRow'][];
			correlationId: components['schemas']['CorrelationId'];
		};
		HandOverEnvelope: {
			result: components['schemas']['HandOver'];
			correlationId: components['schemas']['CorrelationId'];
		};
		PrinterListEnvelope: {
			/** @description A list, or a page with all of them */
			result:
				| components['schemas']['Printer'][]
				| {
						/** @description The printers */
						data: components['schemas']['Printer'][];
						total?: components['schemas']['PageTotal'];
				  };
			correlationId: components['schemas']['CorrelationId'];
		};
		PickupPointListEnvelope: {
			/** @description A page, or a list with all of them */
			result:
				| components['schemas']['PickupPoint'][]
				| {
						/** @description The pickup points of this page */
						data: components['schemas']['PickupPoint'][];
						total: components['schemas']['PageTotal'];
				  };
			correlationId: components['schemas']['CorrelationId'];
		};
		PrintJobEnvelope: {
			/** @description Whether the job was printed */
			result: boolean;
			correlationId: components['schemas']['CorrelationId'];
		};
		/**
		 * Format: uuid
		 * @description Correlation id of the request
		 */
		CorrelationId: string;
		/** @description ISO 8601 timestamp in the time zone of the account. Without an offset, unless the provider sends one. Batches include fractional seconds */
		LocalTimestamp: string;
		/** @description Zero-based offset of the first record */
		PageStart: number;
		/** @description Records per page, at most 100 */
		PageLength: number;
		/** @description Total number of matching records */
		PageTotal: number;
	};
	responses: {
		/** @description One row per created piece. The statusCode of the row, not the HTTP status, shows whether a shipment was created. */
		Creation: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				'application/json': components['schemas']['CreationEnvelope'];
			};
		};
		/** @description Either the rows of a creation of which some were refused, and others may have been created, or the failure of the whole request. */
		PartlyRefused: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				'application/json':
					| components['schemas']['CreationEnvelope']
					| components['schemas']['FailureEnvelope'];
			};
		};
		/** @description An array, or a single shipment. One element was observed for a single shipment */
		ShipmentDetail: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				'application/json': components['schemas']['ShipmentDetailEnvelope'];
			};
		};
		/** @description The whole request failed. The envelope and HTTP status codes are undocumented, and the body can be empty. */
		Failure: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				'application/json': components['schemas']['FailureEnvelope'];
			};
		};
	};
	parameters: {
		/** @description Carrier code */
		CarrierCode: string;
		/** @description Code of a service of the carrier. Without it, all of them */
		ServiceTypeFilter: string;
		/** @description Id of the main shipment */
		ShipmentId: number;
	};
	requestBodies: {
		/** @description One object per shipment */
		Creation: {
			content: {
				'application/json': components['schemas']['ShipmentCreation'][];
			};
		};
	};
	headers: never;
	pathItems: never;
}
export type FailureEnvelope = components['schemas']['FailureEnvelope'];
export type ServiceError = components['schemas']['ServiceError'];
export type Errors = components['schemas']['Errors'];
export type ShipmentCreation = components['schemas']['ShipmentCreation'];
export type CreatedShipment = components['schemas']['CreatedShipment'];
export type CreationEnvelope = components['schemas']['CreationEnvelope'];
export type Batch = components['schemas']['Batch'];
export type BatchOrder = components['schemas']['BatchOrder'];
export type Carrier = components['schemas']['Carrier'];
export type CarrierService = components['schemas']['CarrierService'];
export type ServiceAddon = components['schemas']['ServiceAddon'];
export type Account = components['schemas']['Account'];
export type LabelGroup = components['schemas']['LabelGroup'];
export type TrackingResult = components['schemas']['TrackingResult'];
export type TrackingEvent = components['schemas']['TrackingEvent'];
export type ShipmentDetail = components['schemas']['ShipmentDetail'];
export type ShipmentStatus = components['schemas']['ShipmentStatus'];
export type ShipmentRecord = components['schemas']['ShipmentRecord'];
export type Address = components['schemas']['Address'];
export type FindBatchesRequest = components['schemas']['FindBatchesRequest'];
export type FindShipmentsRequest = components['schemas']['FindShipmentsRequest'];
export type FindServicesRequest = components['schemas']['FindServicesRequest'];
export type PrintLabelsRequest = components['schemas']['PrintLabelsRequest'];
export type SendToPrinterRequest = components['schemas']['SendToPrinterRequest'];
export type TrackRequest = components['schemas']['TrackRequest'];
export type CancelRequest = components['schemas']['CancelRequest'];
export type CancellationRow = components['schemas']['CancellationRow'];
export type HandOverRequest = components['schemas']['HandOverRequest'];
export type HandOver = components['schemas']['HandOver'];
export type FindHandOversRequest = components['schemas']['FindHandOversRequest'];
export type PastHandOver = components['schemas']['PastHandOver'];
export type HandOverPage = components['schemas']['HandOverPage'];
export type Printer = components['schemas']['Printer'];
export type FindPickupPointsRequest = components['schemas']['FindPickupPointsRequest'];
export type PickupPoint = components['schemas']['PickupPoint'];
export type BatchPage = components['schemas']['BatchPage'];
export type ShipmentPage = components['schemas']['ShipmentPage'];
export type BatchEnvelope = components['schemas']['BatchEnvelope'];
export type ShipmentDetailEnvelope = components['schemas']['ShipmentDetailEnvelope'];
export type CarrierListEnvelope = components['schemas']['CarrierListEnvelope'];
export type ServiceListEnvelope = components['schemas']['ServiceListEnvelope'];
export type ServiceAddonsEnvelope = components['schemas']['ServiceAddonsEnvelope'];
export type AccountEnvelope = components['schemas']['AccountEnvelope'];
export type LabelEnvelope = components['schemas']['LabelEnvelope'];
export type TrackingEnvelope = components['schemas']['TrackingEnvelope'];
export type CancellationEnvelope = components['schemas']['CancellationEnvelope'];
export type HandOverEnvelope = components['schemas']['HandOverEnvelope'];
export type PrinterListEnvelope = components['schemas']['PrinterListEnvelope'];
export type PickupPointListEnvelope = components['schemas']['PickupPointListEnvelope'];
export type PrintJobEnvelope = components['schemas']['PrintJobEnvelope'];
export type CorrelationId = components['schemas']['CorrelationId'];
export type LocalTimestamp = components['schemas']['LocalTimestamp'];
export type PageStart = components['schemas']['PageStart'];
export type PageLength = components['schemas']['PageLength'];
export type PageTotal = components['schemas']['PageTotal'];
export type ResponseCreation = components['responses']['Creation'];
export type ResponsePartlyRefused = components['responses']['PartlyRefused'];
export type ResponseShipmentDetail = components['responses']['ShipmentDetail'];
export type ResponseFailure = components['responses']['Failure'];
export type ParameterCarrierCode = components['parameters']['CarrierCode'];
export type ParameterServiceTypeFilter = components['parameters']['ServiceTypeFilter'];
export type ParameterShipmentId = components['parameters']['ShipmentId'];
export type RequestBodyCreation = components['requestBodies']['Creation'];
export type $defs = Record<string, never>;
export interface operations {
	createShipments: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: components['requestBodies']['Creation'];
		responses: {
			200: components['responses']['Creation'];
			400: components['responses']['PartlyRefused'];
			'4XX': components['responses']['Failure'];
		};
	};
	createShipmentsOfCarrier: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description Carrier code */
				carrier_code: components['parameters']['CarrierCode'];
			};
			cookie?: never;
		};
		requestBody: components['requestBodies']['Creation'];
		responses: {
			200: components['responses']['Creation'];
			400: components['responses']['PartlyRefused'];
			'4XX': components['responses']['Failure'];
		};
	};
	findShipments: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['FindShipmentsRequest'];
			};
		};
		responses: {
			/** @description One page of shipments */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['ShipmentPage'];
				};
			};
			'4XX': components['responses']['Failure'];
		};
	};
	getShipment: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description Carrier code */
				carrier_code: components['parameters']['CarrierCode'];
				/** @description Id of the main shipment */
				id: components['parameters']['ShipmentId'];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components['responses']['ShipmentDetail'];
			'4XX': components['responses']['Failure'];
		};
	};
	getShipmentShort: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description Carrier code */
				carrier_code: components['parameters']['CarrierCode'];
				/** @description Id of the main shipment */
				id: components['parameters']['ShipmentId'];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components['responses']['ShipmentDetail'];
			'4XX': components['responses']['Failure'];
		};
	};
	trackShipments: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description Carrier code */
				carrier_code: components['parameters']['CarrierCode'];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['TrackRequest'];
			};
		};
		responses: {
			/** @description One tracking result per tracking number */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['TrackingEnvelope'];
				};
			};
			'4XX': components['responses']['Failure'];
		};
	};
	cancelShipments: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description Carrier code */
				carrier_code: components['parameters']['CarrierCode'];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['CancelRequest'];
			};
		};
		responses: {
			/** @description One row per tracking number. It says whether the shipment was canceled */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['CancellationEnvelope'];
				};
			};
			'4XX': components['responses']['Failure'];
		};
	};
	handOverShipments: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description Carrier code */
				carrier_code: components['parameters']['CarrierCode'];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['HandOverRequest'];
			};
		};
		responses: {
			/** @description The hand over with its protocol */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['HandOverEnvelope'];
				};
			};
			'4XX': components['responses']['Failure'];
		};
	};
	findHandOvers: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['FindHandOversRequest'];
			};
		};
		responses: {
			/** @description One page of hand-overs */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['HandOverPage'];
				};
			};
			'4XX': components['responses']['Failure'];
		};
	};
	findPickupPoints: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description Carrier code */
				carrier_code: components['parameters']['CarrierCode'];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['FindPickupPointsRequest'];
			};
		};
		responses: {
			/** @description The pickup points of the carrier */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['PickupPointListEnvelope'];
				};
			};
			'4XX': components['responses']['Failure'];
		};
	};
	findServiceAddons: {
		parameters: {
			query?: {
				/** @description Code of a service of the carrier. Without it, all of them */
				serviceType?: components['parameters']['ServiceTypeFilter'];
			};
			header?: never;
			path: {
				/** @description Carrier code */
				carrier_code: components['parameters']['CarrierCode'];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description The additional services of the carrier, or of one of its services */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['ServiceAddonsEnvelope'];
				};
			};
			'4XX': components['responses']['Failure'];
		};
	};
	findBatches: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['FindBatchesRequest'];
			};
		};
		responses: {
			/** @description One page of batches. Their orders are null */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['BatchPage'];
				};
			};
			'4XX': components['responses']['Failure'];
		};
	};
	getBatch: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description Batch id */
				id: number;
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description The batch with its orders */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['BatchEnvelope'];
				};
			};
			'4XX': components['responses']['Failure'];
		};
	};
	findCarriers: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': Record<string, never>;
			};
		};
		responses: {
			/** @description All carriers, activated or not */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['CarrierListEnvelope'];
				};
			};
			'4XX': components['responses']['Failure'];
		};
	};
	findServices: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['FindServicesRequest'];
			};
		};
		responses: {
			/** @description The services of the carrier */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['ServiceListEnvelope'];
				};
			};
			'4XX': components['responses']['Failure'];
		};
	};
	getAccount: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description The account */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['AccountEnvelope'];
				};
			};
			'4XX': components['responses']['Failure'];
		};
	};
	printLabels: {
		parameters: {
			query: {
				/** @description File type: pdf, or zpl for carriers that support it */
				type: 'pdf' | 'zpl';
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['PrintLabelsRequest'];
			};
		};
		responses: {
			/** @description One label group per carrier */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['LabelEnvelope'];
				};
			};
			'4XX': components['responses']['Failure'];
		};
	};
	findPrinters: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': Record<string, never>;
			};
		};
		responses: {
			/** @description The printers of the print service */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['PrinterListEnvelope'];
				};
			};
			'4XX': components['responses']['Failure'];
		};
	};
	sendToPrinter: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['SendToPrinterRequest'];
			};
		};
		responses: {
			/** @description Whether the job was printed */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['PrintJobEnvelope'];
				};
			};
			'4XX': components['responses']['Failure'];
		};
	};
}
