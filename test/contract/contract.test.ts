import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(__dirname, '../..');

interface Schema {
	type?: string | string[];
	description?: string;
	required?: string[];
	oneOf?: Schema[];
	properties?: Record<string, Schema & { $ref?: string }>;
	[keyword: string]: unknown;
}
interface Contract {
	paths: Record<string, Record<string, { operationId?: string; 'x-optional'?: boolean }>>;
	components: { schemas: Record<string, Schema> };
}
const contract = parse(readFileSync(join(root, 'contract/openapi.yaml'), 'utf8')) as Contract;

// The tables of the interface document, and what services send or understand besides, so that no field
// can disappear unnoticed. Null is allowed where a name ends with "?". "rec*" stands for an address.
const FIELDS: Record<string, string> = {
	ShipmentCreation: `serviceType packageNumberCustom price pieceCount branchId cod codPrice
		codCurrency vs services orderId senderEnabled coverEnabled weight note reference width height
		length insurancePrice insuranceCurrency smsNotification ageCheck pickupDate packageNumberOrder
		rec* sender* cover*`,
	CreatedShipment: `id packageNumberCarrier? packageNumberCustom pieceIndex orderId?
		orderNumber? labelUrl? trackingUrl? statusCode message carrierErrors?`,
	CreationEnvelope: `result labelsUrl? labelsHash? ordersUrl? ordersHash? packagesCount batchId
		correlationId`,
	Batch: `id carrierCode ordersCount packagesCount errorsCount labelsHash? ordersHash?
		labelsUrl? ordersUrl? created source note? isArchived archived? orders?`,
	BatchOrder: `orderId id carrierCode orderNumber? orderDeliveryName orderDeliveryCompany
		packageNumberCarrier? success message`,
	Carrier: 'id name code description activated? status',
	CarrierService: 'code name coverAddressEnabled senderAddressEnabled',
	LabelGroup: 'carrierCode carrierName labelsUrl labelsCount hash',
	TrackingResult: 'packageNumberCarrier statusCode message events?',
	TrackingEvent: 'date category code name nameSystem type item? delivered canceled carrierCode?',
	ShipmentDetail: `id packageNumberCarrier? packageNumberCustom packageNumberOrder serviceType
		orderId? reference? reference2? note? weight price branchId? branchName? codPrice?
		codCurrency? creditCard bankCode? bankName? bankAccountNumber? bankAccountName? vs? iban?
		swift? exchangeOrder smsNotification insurancePrice? insuranceCurrency? authentication
		authenticationName authenticationId coverEnabled senderEnabled canceled delivered canCancel
		submittedCarrier printed printable editable trackable inTransit deliveryType isReturn
		readyForPickupDays? trackingUrl status rec*? sender*? cover*?`,
	ShipmentStatus: 'code name category',
	ShipmentRecord: `canCancel canceled carrierCode carrierName codCurrency? codPrice? id
		packageNumberCarrier? packageNumberCustom packageNumberOrder pieceCount serviceCode
		serviceName recAddress senderAddress? maskAddress? price vs? created updated delivered sent
		printed printable submittedCarrier trackable status trackingUrl isMaster masterId? pieceIndex
		pickupId?`,
	FindBatchesRequest: 'carrierCodes? createdFrom? createdTo? sortOrder archived? start length',
	FindShipmentsRequest: `start length search carrierCodes cod onlyMaster orderId createdFrom
		createdTo status packageNumberCustom packageNumberCarrier`,
	PrintLabelsRequest: 'packages onePerPage skip',
	SendToPrinterRequest: 'hash printerName',
	TrackRequest: 'packages',
	FindServicesRequest: 'carrierCode',
	CancelRequest: 'packages',
	CancellationRow: 'packageNumberCarrier successfull message?',
	HandOverRequest: 'date packages',
	HandOver: 'id? protocolUrl? labelsUrl? packagesCount',
	FindHandOversRequest: 'carrierCode createdFrom createdTo sortOrder start length',
	PastHandOver: `id hash? date? carrierCode? printed? created? packagesCount? protocolUrl?
		labelsUrl?`,
	Printer: 'id computerName? printerName name? printerStatus?',
	FindPickupPointsRequest: 'branchType country name serviceType start length',
	ServiceCountries: 'code countries?',
	ServiceAddon: 'code shortName? description?',
	PickupPoint: `code systemId? branchType? name? street? city? zip? country? openingMonday?
		openingTuesday? openingWednesday? openingThursday? openingFriday? openingSaturday?
		openingSunday? gpsLatitude? gpsLongitude?`,
};

const ADDRESS = ['Name', 'Company', 'Street', 'City', 'Zip', 'Country', 'Phone', 'Email'];
const fieldsIn = (text: string) =>
	text
		.trim()
		.split(/\s+/)
		.flatMap((field) =>
			field.includes('*') ? ADDRESS.map((part) => field.replace('*', part)) : [field],
		);

const documentedOperations: Record<string, string> = {
	createShipments: 'post /Package/Create',
	createShipmentsOfCarrier: 'post /{carrier_code}/Create',
	findBatches: 'post /Batch/Find',
	getBatch: 'get /Batch/{id}',
	sendToPrinter: 'post /Printer/PrintLabel',
	findShipments: 'post /Package/Find',
	getShipment: 'get /{carrier_code}/{id}/Detail',
	getShipmentShort: 'get /{carrier_code}/{id}',
	findCarriers: 'post /Carrier/Find',
	findServices: 'post /Carrier/Services',
	printLabels: 'post /Label/Print/',
	trackShipments: 'post /{carrier_code}/Tracking',
};

// The client of a service has them, and the document does not.
const optionalOperations: Record<string, string> = {
	cancelShipments: 'post /{carrier_code}/Cancel',
	handOverShipments: 'post /{carrier_code}/Order',
	findHandOvers: 'post /Pickup/Find',
	findPrinters: 'post /Printer/Find',
	findPickupPoints: 'post /{carrier_code}/Branches',
	findServiceCountries: 'get /{carrier_code}/ServiceCountries',
	findServiceAddons: 'get /{carrier_code}/ServiceAddons',
};

function isNullable({ type, oneOf = [] }: Schema): boolean {
	return type?.includes('null') === true || oneOf.some(isNullable);
}

function run(script: string, ...args: string[]) {
	return spawnSync(process.execPath, [join(root, script), ...args], {
		cwd: root,
		encoding: 'utf8',
		env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
	});
}

test('the contract passes the recommended lint rules without errors or warnings', () => {
	const lint = run(
		'node_modules/@redocly/cli/bin/cli.js',
		'lint',
		'contract/openapi.yaml',
		'--config=contract/redocly.yaml',
		'--format=json',
	);
	const report = JSON.parse(lint.stdout) as { problems: unknown[] };
	expect(report.problems).toEqual([]);
	expect(lint.status).toBe(0);
});

test('the generated types match the contract', () => {
	const check = run('scripts/generateContract.mjs', '--check');
	expect(check.stderr).toBe('');
	expect(check.status).toBe(0);
});

test('the contract has every documented endpoint, and marks those that not every service has', () => {
	const actual: Record<'all' | 'optional', Record<string, string>> = { all: {}, optional: {} };
	for (const [path, methods] of Object.entries(contract.paths)) {
		for (const [method, { operationId, 'x-optional': isOptional }] of Object.entries(methods)) {
			if (operationId) actual[isOptional ? 'optional' : 'all'][operationId] = `${method} ${path}`;
		}
	}
	expect(actual).toEqual({ all: documentedOperations, optional: optionalOperations });
});

test.each(Object.entries(FIELDS))(
	'%s has exactly the known fields, each described',
	(name, text) => {
		const properties = Object.entries(contract.components.schemas[name]?.properties ?? {});
		const fields = properties.map(([field, schema]) => (isNullable(schema) ? `${field}?` : field));
		expect(fields.sort()).toEqual(fieldsIn(text).sort());
		const undescribed = properties.filter(([, schema]) => !schema.description && !schema.$ref);
		expect(undescribed).toEqual([]);
	},
);

test('allows fields and values that the document does not list', () => {
	const closed = Object.entries(contract.components.schemas).filter(
		([, schema]) => schema.properties && schema['additionalProperties'] !== true,
	);
	expect(closed).toEqual([]);
	const withClosedValues = JSON.stringify(contract.components.schemas).match(/"enum"/g);
	expect(withClosedValues).toBeNull();
});

test('limits pages to 100 records and hashes to 14 days', () => {
	const { PageLength, CreationEnvelope, LabelGroup } = contract.components.schemas;
	expect(PageLength?.['maximum']).toBe(100);
	expect(CreationEnvelope?.properties?.['labelsHash']?.['x-hash-validity-days']).toBe(14);
	expect(LabelGroup?.properties?.['hash']?.['x-hash-validity-days']).toBe(14);
});
