import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.kotlin.sdk.types.JSONRPCMessage;
import io.modelcontextprotocol.kotlin.sdk.types.JSONRPCResponse;
import io.modelcontextprotocol.kotlin.sdk.types.JsonUtilsKt;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remakes the goldens of the Java and Kotlin shapes from the real libraries: the
 * message reader, then the conversion to the result type, as the clients do.
 */
public final class Golden {
    private static final McpJsonMapper MAPPER = McpJsonDefaults.getMapper();

    public static void main(String[] args) throws Exception {
        boolean kotlin = args[0].equals("kotlin");
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null; ) {
            Map<String, Object> item = MAPPER.readValue(line, new TypeRef<Map<String, Object>>() {});
            String part = (String) item.get("part");
            if (part.equals("discover")) {
                continue;
            }
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("id", item.get("id"));
            String message = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + item.get("payload") + "}";
            try {
                if (kotlin) {
                    kotlin(part, message);
                } else {
                    java(part, message);
                }
            } catch (Throwable e) {
                answer.put("text", String.valueOf(e.getMessage()));
            }
            out.println(MAPPER.writeValueAsString(answer));
        }
    }

    private static void java(String part, String message) throws Exception {
        McpSchema.JSONRPCResponse response = (McpSchema.JSONRPCResponse) McpSchema.deserializeJsonRpcMessage(MAPPER, message);
        Object result = response.result();
        switch (part) {
            case "initialize" -> MAPPER.convertValue(result, new TypeRef<McpSchema.InitializeResult>() {});
            case "list" -> MAPPER.convertValue(result, new TypeRef<McpSchema.ListToolsResult>() {});
            default -> MAPPER.convertValue(result, new TypeRef<McpSchema.CallToolResult>() {});
        }
    }

    private static void kotlin(String part, String message) {
        JSONRPCMessage decoded = JsonUtilsKt.getMcpJson().decodeFromString(JSONRPCMessage.Companion.serializer(), message);
        Object result = ((JSONRPCResponse) decoded).getResult();
        Class<?> want = switch (part) {
            case "initialize" -> io.modelcontextprotocol.kotlin.sdk.types.InitializeResult.class;
            case "list" -> io.modelcontextprotocol.kotlin.sdk.types.ListToolsResult.class;
            default -> io.modelcontextprotocol.kotlin.sdk.types.CallToolResult.class;
        };
        want.cast(result);
    }
}
